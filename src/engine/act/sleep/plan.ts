import type { PaneEnd } from '../../../ports/actuator.ts';

/** How an agent is put to sleep. */
export interface SleepPlan {
  /** The pane that it is in. */
  readonly paneId: string;
  readonly kind: string;
  readonly conversation: string | null;
  readonly cwd: string;
  readonly resume: readonly string[] | null;
  /** Its pane is to stay when what was woken ends in it. */
  readonly isPaneKept: boolean;
  /** Memory of what is to leave; null where that is not known. */
  readonly bytes: number | null;
  /** What became of the pane until now when its program ended. */
  readonly end: Exclude<PaneEnd, 'held'>;
}
