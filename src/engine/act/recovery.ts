import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { Roll } from '../../core/sight/roll.ts';
import type { Ending } from './deed.ts';
import type { Hands } from './hands.ts';

/** How an action that was left behind ended. */
export type Recovery = Pick<Ending<unknown>, 'session' | 'body'>;

/** Finds out what became of an action whose actor was stopped; null as long as nobody can tell. */
export type Recover = (hands: Hands, intent: LedgerEntry, roll: Roll) => Promise<Recovery | null>;
