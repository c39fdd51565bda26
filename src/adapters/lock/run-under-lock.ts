import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { succeeds } from '../../core/try-or.ts';
import type { Hold, OnSignal, RunnerEnd } from '../../ports/lock.ts';
import { linkAt } from '../files/look.ts';
import { readProcessStat } from './process-stat.ts';

/** Sent on always: no terminal sends them, or a second one does no harm. */
const SENT_ON: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGWINCH', 'SIGUSR1', 'SIGUSR2', 'SIGCONT'];
/** A terminal sends these to the whole foreground group, so the runner has them already. */
const FROM_KEYS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/**
 * Runs a program in the foreground of this process: same terminal, same process group. The lock's descriptor is open in
 * it under `ROLLCALL_LOCK_FD`, so the lock outlives this process as long as the runner lives.
 */
export function runUnderLock(
  hold: Hold,
  argv: readonly string[],
  { env, onSignal }: { readonly env: NodeJS.ProcessEnv; readonly onSignal: OnSignal },
): Promise<RunnerEnd> {
  const [program = '', ...words] = argv;
  const { numbers, stdio } = childDescriptors(hold, env);
  return new Promise((resolve) => {
    const undo: (() => void)[] = [];
    const end = (result: RunnerEnd) => {
      for (const step of undo.splice(0)) step();
      hold.release();
      resolve(result);
    };
    const failed = (error: unknown) => {
      const { code = '', message } = error as NodeJS.ErrnoException;
      end({ state: 'not-started', code, text: message });
    };
    try {
      // Before the start, so that no signal can end this process and leave the runner without anyone who waits for it.
      const waiting: NodeJS.Signals[] = [];
      let send = (signal: NodeJS.Signals) => void waiting.push(signal);
      for (const signal of SENT_ON) undo.push(onSignal(signal, () => send(signal)));
      for (const signal of FROM_KEYS) {
        undo.push(
          onSignal(signal, () => {
            if (!isTerminalOurs()) send(signal);
          }),
        );
      }
      const child = spawn(program, words, { stdio, env: { ...env, ROLLCALL_LOCK_FD: numbers } });
      child.on('error', failed);
      child.on('exit', (exitCode, signal) => {
        end(signal === null ? { state: 'exited', exitCode: exitCode ?? 1 } : { state: 'killed', signal });
      });
      const { pid } = child;
      if (pid === undefined) return;
      send = (signal) => void child.kill(signal);
      for (const signal of waiting) send(signal);
      // The lock holds without it, and whoever asks finds the process that has it open: a full disk must not end a runner.
      succeeds(() => hold.noteRunner(pid));
      undo.push(stopWithRunner(pid));
    } catch (error) {
      failed(error);
    }
  });
}

/**
 * If only the runner is suspended, the shell keeps waiting for this process. So this process stops too, if a shell can
 * continue it; being continued, it continues the runner.
 */
function stopWithRunner(pid: number): () => void {
  if (!isTerminalOurs()) return () => {};
  const timer = setInterval(() => {
    if (readProcessStat(pid)?.state === 'T' && isStoppable()) process.kill(process.pid, 'SIGSTOP');
  }, WATCH_MS);
  return () => clearInterval(timer);
}

const WATCH_MS = 300;

/** Whether the keys of a terminal reach this process and, in the same group, the program it runs. */
function isTerminalOurs(): boolean {
  const own = readProcessStat(process.pid);
  // Without /proc a terminal on standard input is the best that is known.
  if (own === null) return process.stdin.isTTY === true;
  return own.tpgid > 0 && own.tpgid === own.pgid;
}

/** Whether somebody with job control would notice that this process stopped, and can continue it. */
function isStoppable(): boolean {
  const own = readProcessStat(process.pid);
  const parent = own && readProcessStat(own.ppid);
  return isTerminalOurs() && parent !== null && parent.sid === own?.sid && parent.pgid !== own.pgid;
}

/**
 * The descriptor at which a runner finds its lock. One digit, so that any shell can close it for a program that is meant to
 * outlive the runner (`daemon 8>&-`), and last of all those that scripts like to use themselves (9, 4, 3).
 */
const NUMBERS = [8, 7, 6, 5, 9, 4, 3] as const;

/** Which descriptors a runner gets, for its environment and as `stdio`. */
export interface ChildDescriptors {
  /** Value of `ROLLCALL_LOCK_FD`: the locks around this one first. */
  readonly numbers: string;
  readonly stdio: ('inherit' | 'ignore' | number)[];
}

/** Hands on this lock, and those that this process runs under itself: Node would close them for the runner. */
function childDescriptors(hold: Hold, env: NodeJS.ProcessEnv): ChildDescriptors {
  const outer = NUMBERS.filter((number) => isOuterLock(number, hold, env));
  const own = NUMBERS.find((number) => !outer.includes(number)) ?? NUMBERS[0];
  const last = Math.max(own, ...outer);
  const stdio = Array.from({ length: last + 1 }, (_, at): ChildDescriptors['stdio'][number] => {
    if (at < 3) return 'inherit';
    if (at === own) return hold.descriptor;
    return outer.some((number) => number === at) ? at : 'ignore';
  });
  return { numbers: [...outer, own].join(' '), stdio };
}

// The variable alone proves nothing: whoever was started without the lock may still have it in the environment.
function isOuterLock(number: number, { file, descriptor }: Hold, env: NodeJS.ProcessEnv): boolean {
  const isSaid = (env.ROLLCALL_LOCK_FD ?? '').split(' ').includes(String(number));
  if (!isSaid || number === descriptor) return false;
  const link = linkAt(`/proc/self/fd/${number}`);
  return link !== null && dirname(link) === dirname(file);
}
