/** Knows which user a process runs as, and whether it was told to stay. */
export interface ProcessOwners {
  /** Real user ids by pid; a process that is gone, or that cannot be read, is left out. */
  uids(processes: Iterable<{ readonly pid: number; readonly startTicks: number }>): Map<number, number>;
  /** Whether each ignores the end of its terminal (SIGHUP), as `nohup` has it; who cannot be read is left out. */
  ignoresHangup(
    processes: Iterable<{ readonly pid: number; readonly startTicks: number }>,
  ): Map<number, boolean>;
}
