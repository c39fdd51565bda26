import { request } from 'node:http';
import type { DaemonWord } from '../../core/supervision/answering.ts';
import { statFields } from '../files/look.ts';

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
  return statFields(`/proc/${pid}/stat`)?.[0] ?? '';
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
