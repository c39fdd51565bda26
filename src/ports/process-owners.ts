/** Knows which user a process runs as. */
export interface ProcessOwners {
  /** Real user ids by pid; a process that is gone, or that cannot be read, is left out. */
  uids(processes: Iterable<{ readonly pid: number; readonly startTicks: number }>): Map<number, number>;
}
