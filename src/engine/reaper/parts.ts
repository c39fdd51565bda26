import type { EntryDraft } from '../../core/ledger/entry.ts';
import type { ReaperPolicy } from '../../core/reaper/policy.ts';
import type { Moment } from '../../core/text/moment.ts';
import type { ReapBudgets, ReapModes } from '../../ports/reaper.ts';
import type { TmuxSensor } from '../../ports/sensor.ts';
import type { CloseTimings } from '../act/close/timings.ts';
import type { Hands } from '../act/hands.ts';
import type { CloseTurn } from '../daemon/close-turn.ts';
import type { Look } from '../look/look.ts';

/** What a reaper is made of; src/compose/ supplies the real ones. */
export interface ReaperParts {
  /** Takes the closer looks. */
  readonly look: Look;
  readonly screens: Pick<TmuxSensor, 'capture'>;
  readonly modes: ReapModes;
  readonly budgets: ReapBudgets;
  readonly policy: ReaperPolicy;
  readonly timings: CloseTimings;
  /** The command on whose behalf it closes. */
  readonly argv: readonly string[];
  /** Shared with whoever else closes by itself in this process; absent where nobody does. */
  readonly turn?: CloseTurn;
  now(): Moment;
  /** Writes notes into the ledger; throws where they could not be written. */
  record(notes: readonly EntryDraft[]): Promise<void>;
  /** Does something with hands of its own, which are put away afterwards. */
  withHands<T>(work: (hands: Hands) => Promise<T>): Promise<T>;
}
