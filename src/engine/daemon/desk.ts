import type { Round } from '../../core/supervision/round.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Hands } from '../act/hands.ts';
import type { Look } from '../look/look.ts';

/** Hears of every round, in order. What it throws is logged and stops nobody else. */
export type RoundObserver = (round: Round) => void | Promise<void>;

/** Asked of a daemon that is on its way out: nothing was done. */
export class DaemonStopping extends Error {
  override readonly name = 'DaemonStopping';

  constructor() {
    super('the daemon is stopping');
  }
}

/** What the surfaces of a running daemon may ask it for. */
export interface Desk {
  readonly startedAt: number;
  /** The last round; null before the first. */
  round(): Round | null;
  /** Calls back after each round; the returned function ends that. */
  onRound(observer: RoundObserver): () => void;
  /** Has a round begin now, and gives it. */
  lookNow(): Promise<Round>;
  /** A look of this moment, apart from the rounds. */
  readonly look: Look;
  readonly ledger: Pick<Ledger, 'read' | 'scan' | 'facts'>;
  /** Does something with hands of its own, which are put away afterwards; a round follows. */
  withHands<T>(work: (hands: Hands) => Promise<T>): Promise<T>;
}
