import type { RolePolicies } from './role.ts';

/** The times and bounds that the classifier works with; config fills them in. */
export interface Policy extends RolePolicies {
  /** Evidence older than this says nothing about now. */
  readonly freshMs: number;
  /** Rest after which an idle agent is no longer recent. */
  readonly idleAfterMs: number;
  /** Rest after which what an exited agent left behind is no longer recent. */
  readonly exitedAfterMs: number;
  /** Awake time over which a live agent must be seen quiet before its idleness counts. */
  readonly confirmMs: number;
  /** A running command without any progress for this long is called stale. */
  readonly hungAfterMs: number;
  /** A process younger than this is starting. */
  readonly startingMs: number;
  /** Input from a person counts as recent for this long. */
  readonly recentInputMs: number;
  /** Use of one core that counts as work. */
  readonly workingCpuPercent: number;
  /** Storage traffic that counts as work. */
  readonly workingIoBytesPerSecond: number;
}
