import { uptime } from 'node:os';
import { readProcText } from './proc-file.ts';

/**
 * When the machine booted, epoch ms, on the wall clock as it stands now: a stepped clock moves it, so it is read for
 * each look and never part of an identity. Where /proc/stat is masked, the system call behind `uptime` gives the same.
 */
export function readBootAt(procRoot: string, now: number): number {
  const btime = /^btime (\d+)$/m.exec(readProcText(`${procRoot}/stat`) ?? '')?.[1];
  return btime === undefined ? Math.round(now - uptime() * 1000) : Number(btime) * 1000;
}
