import type { Moment } from '../../core/text/moment.ts';
import type { Reaper } from '../../engine/daemon/parts.ts';
import type { Look } from '../../engine/look/look.ts';
import type { ReapBudgets, ReapModes } from '../../ports/reaper.ts';

/** Everything that `rollcall reap` works with. */
export interface ReapDesk {
  readonly modes: ReapModes;
  readonly budgets: ReapBudgets;
  /** The look that the reaper builds on. */
  readonly look: Look;
  now(): Moment;
  /** A reaper of this process, on behalf of this command line. */
  reaper(argv: readonly string[]): Reaper;
}
