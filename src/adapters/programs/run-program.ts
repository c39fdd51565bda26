import { type ChildProcess, type SpawnOptions, spawn as spawnChild } from 'node:child_process';
import { endGroup } from './end-group.ts';

/** Starts a child process; another one only in tests. */
export type Spawn = (file: string, argv: readonly string[], options: SpawnOptions) => ChildProcess;

export interface ProgramCall {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Unless told, the folder of this process. */
  readonly cwd?: string;
  /** What it reads; nothing unless told. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** One that prints more is ended. */
  readonly maxBytes?: number;
  /** How much is kept of its errors, which are not heard at all unless told. */
  readonly maxErrorBytes?: number;
  /** Is given whatever it writes, on either stream, and nothing of it is kept. */
  readonly hear?: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** It gets a process group of its own, which is ended as a whole. */
  readonly isGroup?: boolean;
  /**
   * One that is ended is waited for, and after its end only a moment for its last words: what it left running may hold its
   * output open for ever. Otherwise the answer is there at once, and one that nothing could end is left behind.
   */
  readonly isAwaited?: boolean;
  /** Called when it has ended, before its last words were heard. */
  readonly onExit?: (child: ChildProcess, why: EndCause) => void;
  readonly spawn?: Spawn;
}

/** `exit`: it ended by itself. Otherwise it was ended, and this is why. */
export type EndCause = 'exit' | 'timeout' | 'aborted' | 'too-long';

/** What is known of a program that has ended. */
export interface ProgramOutput {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export type ProgramRun =
  | ({ readonly ended: EndCause } & ProgramOutput)
  | { readonly ended: 'unstartable'; readonly text: string; readonly errorCode: string };

/** Runs a program without a shell, bounded in time and output. It never throws. */
export function runProgram(call: ProgramCall): Promise<ProgramRun> {
  return new Promise((resolve) => {
    if (call.signal?.aborted) return resolve({ ...NOTHING, ended: 'aborted' });
    try {
      follow(start(call), call, resolve);
    } catch (error) {
      resolve(unstartable(error));
    }
  });
}

const NOTHING = { code: null, signal: null, stdout: Buffer.alloc(0), stderr: '' };

function start({ argv, env, cwd, input, isGroup = false, ...call }: ProgramCall): ChildProcess {
  const [program = '', ...words] = argv;
  const hasErrors = call.hear !== undefined || call.maxErrorBytes !== undefined;
  return (call.spawn ?? spawnChild)(program, words, {
    env,
    ...(cwd !== undefined && { cwd }),
    ...(isGroup && { detached: true }),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', hasErrors ? 'pipe' : 'ignore'],
  });
}

function follow(child: ChildProcess, call: ProgramCall, resolve: (run: ProgramRun) => void): void {
  const { signal, isAwaited = false } = call;
  let why: EndCause = 'exit';
  let isOver = false;
  const heard = listen(child, call, () => end('too-long'));
  const finish = (run: ProgramRun): void => {
    if (isOver) return;
    isOver = true;
    callOff();
    signal?.removeEventListener('abort', abort);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    resolve(run);
  };
  const report = (code: number | null, killedBy: NodeJS.Signals | null) =>
    finish({ ended: why, code, signal: killedBy, ...heard() });
  const end = (reason: EndCause): void => {
    if (isOver || why !== 'exit') return;
    why = reason;
    // Of one that was reaped the number may be somebody else's by now, and the group with it.
    const isReaped = child.exitCode !== null || child.signalCode !== null;
    if (call.isGroup && !isReaped) endGroup(child);
    else child.kill('SIGKILL');
    if (isAwaited) return;
    // A file system that gives no answer may hold it: nobody waits for that.
    child.unref();
    report(null, null);
  };
  const abort = () => end('aborted');
  const callOff = answerTime(call.timeoutMs, () => end('timeout'));
  signal?.addEventListener('abort', abort);
  child.on('error', (error) => finish(unstartable(error)));
  child.on('exit', (code, killedBy) => {
    call.onExit?.(child, why);
    if (isAwaited) afterLastWords(child, () => report(code, killedBy));
  });
  child.on('close', report);
  // One that ends without reading says why on its own.
  child.stdin?.on('error', () => {}).end(call.input);
}

type Heard = () => { readonly stdout: Buffer; readonly stderr: string };

function listen({ stdout, stderr }: ChildProcess, call: ProgramCall, full: () => void): Heard {
  const { hear, maxBytes = Number.POSITIVE_INFINITY, maxErrorBytes = 0 } = call;
  if (hear !== undefined) {
    for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', hear);
    return () => ({ stdout: NOTHING.stdout, stderr: '' });
  }
  const chunks: Buffer[] = [];
  let [bytes, errors] = [0, ''];
  stdout?.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) full();
  });
  stderr?.on('data', (chunk: Buffer) => {
    if (errors.length < maxErrorBytes) errors += chunk.toString('utf8');
  });
  return () => ({ stdout: Buffer.concat(chunks), stderr: errors });
}

function unstartable(error: unknown): ProgramRun {
  const { message = String(error), code = '' } = error as NodeJS.ErrnoException;
  return { ended: 'unstartable', text: message, errorCode: code };
}

/** How long to listen on where something that the program left running holds its output open. */
const LAST_WORDS_MS = 200;

/** Call it when a program has ended: goes on once everything it wrote was read. Its end may be told before its last words. */
export function afterLastWords(child: ChildProcess, goOn: () => void): void {
  const late = () => {
    child.removeListener('close', closed);
    // Timers come before what was read meanwhile.
    setImmediate(goOn);
  };
  const closed = () => {
    clearTimeout(timer);
    goOn();
  };
  const timer = setTimeout(late, LAST_WORDS_MS);
  child.once('close', closed);
}

const TURNS = 5;
const TURN_MS = 10;

/**
 * Gives an answer its time, then says that it is late. Timers come before input: an answer that lay there while this process was
 * busy is read in the next turns of its loop, however long each of them takes. Returns what calls it off.
 */
export function answerTime(timeoutMs: number, late: () => void): () => void {
  let timer = setTimeout(() => turn(TURNS), timeoutMs);
  const turn = (left: number): void => {
    if (left === 0) late();
    else timer = setTimeout(() => turn(left - 1), TURN_MS);
  };
  return () => clearTimeout(timer);
}
