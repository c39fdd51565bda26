import type { EntryDraft } from '../../core/ledger/entry.ts';
import type { SettleMode } from '../../core/settle/standing.ts';
import type { Moment } from '../../core/text/moment.ts';
import type { RolePolicies } from '../../core/verdict/policy.ts';
import type { CloseTimings } from '../act/close/timings.ts';
import type { Hands } from '../act/hands.ts';
import type { CloseTurn } from '../daemon/close-turn.ts';

/** What a settler is made of; src/compose/ supplies the real ones. */
export interface SettlerParts {
  readonly mode: SettleMode;
  readonly roles: RolePolicies;
  readonly timings: CloseTimings;
  /** The command on whose behalf it closes. */
  readonly argv: readonly string[];
  /** Shared with whoever else closes by itself. */
  readonly turn: CloseTurn;
  now(): Moment;
  /** Writes notes into the ledger; throws where they could not be written. */
  record(notes: readonly EntryDraft[]): Promise<void>;
  /** Does something with hands of its own, which are put away afterwards. */
  withHands<T>(work: (hands: Hands) => Promise<T>): Promise<T>;
}
