import { readProcessStat } from './process-stat.ts';

/** Whether the keys of a terminal reach this process and, in the same group, the program it runs. */
export function isTerminalOurs(): boolean {
  const own = readProcessStat(process.pid);
  // Without /proc a terminal on standard input is the best that is known.
  if (own === null) return process.stdin.isTTY === true;
  return own.tpgid > 0 && own.tpgid === own.pgid;
}

/** Whether somebody with job control would notice that this process stopped, and can continue it. */
export function isStoppable(): boolean {
  const own = readProcessStat(process.pid);
  const parent = own && readProcessStat(own.ppid);
  return isTerminalOurs() && parent !== null && parent.sid === own?.sid && parent.pgid !== own.pgid;
}
