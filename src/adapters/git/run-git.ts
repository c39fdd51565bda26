import { type ChildProcess, spawn as nodeSpawn, type SpawnOptions } from 'node:child_process';
import { endGroup } from '../programs/end-group.ts';

export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

export type GitAnswer =
  | { readonly state: 'answered'; readonly stdout: Buffer; readonly isTruncated: boolean }
  /** The text is git's own and not yet safe to print. */
  | { readonly state: 'failed'; readonly text: string; readonly exitCode?: number };

export interface GitRun {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly stdin?: string;
  readonly spawn?: Spawn;
}

const MAX_STDERR_BYTES = 8192;

/** Runs git once, bounded in time and output, in a process group of its own so that nothing it started outlives it. */
export async function runGit(run: GitRun): Promise<GitAnswer> {
  try {
    return await answerOf(start(run), run);
  } catch (error) {
    return failed(`git could not be started: ${(error as Error).message}`);
  }
}

function start(run: GitRun): ChildProcess {
  return (run.spawn ?? nodeSpawn)('git', run.args, {
    // Never the caller's folder: it may be gone, and a PATH with relative entries must not find a program there.
    cwd: '/',
    env: run.env,
    detached: true,
    stdio: [run.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
}

function answerOf(child: ChildProcess, run: GitRun): Promise<GitAnswer> {
  return new Promise((resolve) => {
    const stdout = collect(child.stdout, run.maxBytes, () => {
      finish({ state: 'answered', stdout: stdout.bytes(), isTruncated: true });
    });
    const stderr = collect(child.stderr, MAX_STDERR_BYTES);
    const timer = setTimeout(
      () => finish(failed(`git gave no answer within ${Math.round(run.timeoutMs)} ms`)),
      run.timeoutMs,
    );
    const finish = (answer: GitAnswer): void => {
      clearTimeout(timer);
      if (child.exitCode === null && child.signalCode === null) endGroup(child);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(answer);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      finish(failed(error.code === 'ENOENT' ? 'git is not installed' : `git: ${error.message}`));
    });
    // Stragglers go at once: later, the id of the emptied group may belong to somebody else.
    child.on('exit', () => endGroup(child));
    child.on('close', (code, signal) => {
      if (code === 0) finish({ state: 'answered', stdout: stdout.bytes(), isTruncated: false });
      else finish(refusal(code, signal, stderr.bytes().toString('utf8')));
    });
    // git may be gone before it has read everything; the exit code tells.
    child.stdin?.on('error', () => {});
    child.stdin?.end(run.stdin);
  });
}

function collect(
  stream: NodeJS.ReadableStream | null,
  maxBytes: number,
  onFull?: () => void,
): { bytes(): Buffer } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (bytes >= maxBytes) return;
    chunks.push(chunk.subarray(0, maxBytes - bytes));
    bytes += chunk.length;
    if (bytes >= maxBytes) onFull?.();
  });
  return { bytes: () => Buffer.concat(chunks) };
}

function failed(text: string, exitCode: number | null = null): GitAnswer {
  return { state: 'failed', text, ...(exitCode === null ? {} : { exitCode }) };
}

function refusal(code: number | null, signal: NodeJS.Signals | null, stderr: string): GitAnswer {
  const fatal = /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ?? stderr.trim().split('\n', 1)[0];
  const remedy = /^\s*(git config --global --add safe\.directory .*)$/m.exec(stderr)?.[1];
  const ending = signal === null ? `git ended with ${code}` : `git was ended by ${signal}`;
  const text = [fatal || ending, ...(remedy === undefined ? [] : [`to allow it: ${remedy}`])].join('; ');
  return failed(text, code);
}
