/** One instant on the two clocks that matter, and what the machine slept through. */
export interface Moment {
  /** Wall clock, epoch ms: for people and for stamps made by others. */
  readonly at: number;
  /** A clock that stands still while the machine is suspended and that nobody can step, ms since boot. */
  readonly awakeMs: number;
  /** Time since boot that the machine spent suspended. */
  readonly suspendedMs: number;
}

/** Wall clock minus time since boot: constant as long as nobody steps the clock. */
export function wallOffset({ at, awakeMs, suspendedMs }: Moment): number {
  return at - awakeMs - suspendedMs;
}
