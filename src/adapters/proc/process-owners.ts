import type { ProcessMark } from '../../core/sight/identity.ts';
import type { ProcessOwners } from '../../ports/sensor.ts';
import { runNow } from '../programs/run-now.ts';
import { createLinuxProcessTable } from './linux-process-table.ts';
import { readProcText } from './proc-file.ts';

export interface ProcessOwnersOptions {
  readonly platform?: NodeJS.Platform;
  readonly procRoot?: string;
  /** Prints `pid uid` for these, a line each. */
  readonly ps?: (pids: readonly number[]) => string;
}

/** Tells whose processes are. The owner of a folder in /proc is root for many a process that is not. */
export function createProcessOwners(options: ProcessOwnersOptions = {}): ProcessOwners {
  const { platform = process.platform, procRoot = '/proc', ps = runPs } = options;
  return platform === 'darwin' ? byPs(ps) : byProc(procRoot);
}

function byProc(procRoot: string): ProcessOwners {
  const table = createLinuxProcessTable({ procRoot });
  const statuses = function* (processes: Iterable<ProcessMark>) {
    for (const process of processes) {
      const status = readProcText(`${procRoot}/${process.pid}/status`);
      if (table.isStill(process) && status !== null) yield { pid: process.pid, status };
    }
  };
  return {
    uids(processes) {
      const found = new Map<number, number>();
      for (const { pid, status } of statuses(processes)) {
        const uid = /^Uid:\t(\d+)\t(\d+)\t/m.exec(status);
        // Real and effective differ where a program runs with another's rights: then it is nobody's for certain.
        if (uid && uid[1] === uid[2]) found.set(pid, Number(uid[1]));
      }
      return found;
    },
    ignoresHangup(processes) {
      const found = new Map<number, boolean>();
      for (const { pid, status } of statuses(processes)) {
        // A mask in hexadecimal digits, SIGHUP (1) in its lowest bit.
        const lowest = /^SigIgn:\t[0-9a-f]*([0-9a-f])$/m.exec(status)?.[1];
        if (lowest !== undefined) found.set(pid, (Number.parseInt(lowest, 16) & 1) === 1);
      }
      return found;
    },
  };
}

/** Untested on a real Mac. */
function byPs(ps: (pids: readonly number[]) => string): ProcessOwners {
  return {
    uids(processes) {
      const pids = [...processes].map(({ pid }) => pid);
      if (pids.length === 0) return new Map();
      const lines = ps(pids).matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm);
      return new Map([...lines].map(([, pid, uid]) => [Number(pid), Number(uid)]));
    },
    ignoresHangup: () => new Map(),
  };
}

function runPs(pids: readonly number[]): string {
  return runNow(['/bin/ps', '-o', 'pid=,ruid=', '-p', pids.join(',')], { timeoutMs: 5000 }).stdout;
}
