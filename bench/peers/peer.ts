import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pause } from '../measure.ts';

/** A program that supervises others, with what it watches. */
export interface Supervised {
  /** The process that supervises; with its ended children. */
  readonly pid: number;
  /** The tmux server that holds the terminals, where the supervisor does not hold them itself. */
  readonly serverPid: number | null;
  readonly programs: readonly Program[];
  /** When it tells that this program is gone; null for one who never does. */
  readonly told: ((program: Program) => Promise<number>) | null;
  stop(): Promise<void>;
}

export interface Program {
  readonly name: string;
  readonly pid: number;
}

/** Starts a supervisor over so many programs that do nothing. */
export type Start = (size: number) => Promise<Supervised>;

/** Every supervisor is its own module: it is brought here first, into a folder of its own, and throws where it cannot be had. */
export type Bring = (folder: string) => Promise<Start>;

const READY_MS = 300_000;
const TOLD_MS = 20_000;

/** Starts a process whose lines tell something, and gives it once a line says that all is ready. */
export async function startTelling(
  [file, ...args]: readonly [string, ...string[]],
  { env, cwd, isReady }: { env: NodeJS.ProcessEnv; cwd?: string; isReady: (line: string) => boolean },
): Promise<Telling> {
  const child = spawn(file, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const hearers = new Set<(line: string) => void>();
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      last.push(line);
      if (last.length > 5) last.shift();
      for (const hear of hearers) hear(line);
    });
  }
  const next = (isIt: (line: string) => boolean, ms: number) =>
    new Promise<Told>((resolve, reject) => {
      const end = (outcome: () => void) => {
        clearTimeout(timer);
        hearers.delete(hear);
        child.off('exit', ended).off('error', ended);
        outcome();
      };
      const hear = (line: string) => {
        if (isIt(line)) end(() => resolve({ line, at: performance.now() }));
      };
      const ended = () => end(() => reject(new Error(`${file} ended: ${last.join(' / ')}`)));
      const timer = setTimeout(
        () => end(() => reject(new Error(`${file} told nothing within ${ms} ms`))),
        ms,
      );
      hearers.add(hear);
      child.once('exit', ended).once('error', ended);
    });
  const { line } = await next(isReady, READY_MS).catch(async (cause) => {
    child.stdin.end();
    if (child.pid !== undefined) await waitForEnd(child.pid);
    throw cause;
  });
  return { child, ready: line, told: async (isIt) => (await next(isIt, TOLD_MS)).at };
}

interface Told {
  readonly line: string;
  readonly at: number;
}

export interface Telling {
  readonly child: ChildProcess;
  readonly ready: string;
  /** When the next such line comes. */
  told(isIt: (line: string) => boolean): Promise<number>;
}

/** Waits until a process that was asked to end is gone; one that stays is killed. */
export async function waitForEnd(pid: number): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await pause(50)) {
    if (hasEnded(pid)) return;
  }
  process.kill(pid, 'SIGKILL');
}

function hasEnded(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, ''));
  } catch {
    return true;
  }
}
