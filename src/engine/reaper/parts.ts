import type { ReaperPolicy } from '../../core/reaper/policy.ts';
import type { ReapBudgets, ReapModes } from '../../ports/reaper.ts';
import type { TmuxSensor } from '../../ports/sensor.ts';
import type { CloseTurn } from '../daemon/close-turn.ts';
import type { Look } from '../look/look.ts';
import type { CloserParts } from './close-by-itself.ts';

/** What a reaper is made of; src/compose/ supplies the real ones. */
export interface ReaperParts extends CloserParts {
  /** Takes the closer looks. */
  readonly look: Look;
  readonly screens: Pick<TmuxSensor, 'capture'>;
  readonly modes: ReapModes;
  readonly budgets: ReapBudgets;
  readonly policy: ReaperPolicy;
  /** Shared with whoever else closes by itself in this process; absent where nobody does. */
  readonly turn?: CloseTurn;
}
