import { spawn } from 'node:child_process';
import { request } from 'node:http';
import type { DaemonWord } from '../../core/supervision/answering.ts';
import type { StartedDaemon } from '../../ports/daemon.ts';
import { namesIn, statFields } from '../files/look.ts';
import { withFile } from '../files/own-file.ts';
import { openForAppending } from '../files/replace-file.ts';
import { isRunning } from '../programs/end-group.ts';

/** Tells what keeps a process from being gone; null once it is. */
export type ProcessRest = () => string | null;

/** Watches the process that has this number now; another one that gets the number later is not it. */
export function watchProcess(pid: number, procRoot = '/proc'): ProcessRest {
  const isTold = statOf(`${procRoot}/self`) !== null;
  if (!isTold) return () => (isRunning(pid) ? 'it still runs' : null);
  const startTicks = statOf(`${procRoot}/${pid}`)?.startTicks ?? null;
  return () => {
    const now = statOf(`${procRoot}/${pid}`);
    if (now === null || now.startTicks !== startTicks) return null;
    return restOf(`${procRoot}/${pid}/task`, now.state);
  };
}

// A thread that the kernel does not let go keeps the whole process, though its first thread has ended.
function restOf(folder: string, state: string): string | null {
  const states = namesIn(folder).map((thread) => statOf(`${folder}/${thread}`)?.state ?? 'X');
  if (states.includes('D')) return 'a file system or a device that gives no answer holds it';
  const isOver = [state, ...states].every((each) => each === 'Z' || each === 'X');
  return isOver ? null : 'it still runs';
}

function statOf(folder: string): { readonly state: string; readonly startTicks: number } | null {
  const fields = statFields(`${folder}/stat`);
  return fields && { state: fields[0] ?? '', startTicks: Number(fields[19]) };
}

/** A daemon answers in a few milliseconds. */
const PATIENCE_MS = 700;
/** One that computes, or waits for its turn on a machine with much to do, gets longer. */
const BUSY_MS = 4000;
const LOOK_EVERY_MS = 100;

/** Asks a daemon whether it is there. Its process is looked at first: one that is stopped need not be waited for. */
export async function askDaemon(pid: number, socketPath: string | null): Promise<DaemonWord> {
  if (isStopped(pid)) return 'stopped';
  if (socketPath === null || (await hasAnswered(socketPath, pid))) return 'answered';
  return isStopped(pid) ? 'stopped' : 'silent';
}

// T is stopped by a signal, t by a debugger. Where there is no /proc only the socket tells.
function isStopped(pid: number): boolean {
  return /[Tt]/.test(stateOf(pid));
}

function stateOf(pid: number): string {
  return statFields(`/proc/${pid}/stat`)?.[0]?.charAt(0) ?? '';
}

function hasAnswered(socketPath: string, pid: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request({ socketPath, path: '/healthz', headers: { Host: 'localhost' }, agent: false });
    const beganAt = performance.now();
    const end = (is: boolean) => {
      clearInterval(looking);
      asking.destroy();
      resolve(is);
    };
    const looking = setInterval(() => {
      const waitedMs = performance.now() - beganAt;
      const isBusy = /[RD]/.test(stateOf(pid)) && waitedMs < BUSY_MS;
      // An answer that is there already, and that this process had no time to read, comes before that.
      if (waitedMs >= PATIENCE_MS && !isBusy) setImmediate(() => end(false));
    }, LOOK_EVERY_MS);
    // Whatever it says, it said something.
    asking.once('response', () => end(true));
    asking.on('error', () => end(false));
    asking.end();
  });
}

/**
 * Starts a program that outlives the terminal: its own session and process group, no standard streams but the log, and
 * `/` as its folder, so that file systems can be unmounted. It gets no mark of a pane or a run.
 */
export function startBehind(argv: readonly string[], env: NodeJS.ProcessEnv, logPath: string): StartedDaemon {
  const { TMUX: _server, TMUX_PANE: _pane, ROLLCALL_RUN: _run, ROLLCALL_OWNER: _owner, ...rest } = env;
  const [program = '', ...words] = argv;
  return withFile(openForAppending(logPath), (log) => {
    const child = spawn(program, words, {
      cwd: '/',
      env: rest,
      detached: true,
      stdio: ['ignore', 'ignore', log],
    });
    let end: string | null = null;
    child.on('error', (error) => {
      end = error.message;
    });
    child.on('exit', (code, signal) => {
      end ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
    });
    child.unref();
    return { pid: child.pid ?? 0, ended: () => end };
  });
}
