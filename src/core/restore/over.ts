import type { SessionFacts } from '../ledger/session-facts.ts';
import type { SessionEntry } from '../sight/roll.ts';
import { isLostWithServer } from './offer.ts';

/** A session as it was when it was listed as lost. */
export interface LostAs {
  readonly facts: SessionFacts;
  /** Somebody asked for this very one, however it went. */
  readonly isNamed: boolean;
}

/** What is known of it now. */
export interface LostNow {
  readonly facts: ReadonlyMap<string, SessionFacts>;
  /** As it is on the roll; absent where it was not looked at, or nothing is proven. */
  readonly entry?: SessionEntry | undefined;
}

/**
 * Why a session that was listed as lost is not to be brought back any more; null where it still is. Hours may lie between the
 * list and the answer to it.
 */
export function overSince({ facts: before, isNamed }: LostAs, { facts, entry }: LostNow): string | null {
  const now = facts.get(before.key);
  // The ledger leaves out only what was closed or brought back.
  if (now === undefined) return 'it was closed or brought back meanwhile';
  if (now.reopened !== null) {
    const next = facts.get(now.reopened.key);
    return `it was brought back meanwhile${next ? `: session '${next.name}'` : ''}`;
  }
  if (now.closed !== null) return `it was closed meanwhile: receipt ${now.closed.receipt}`;
  if (now.completion !== null && now.completion.sequence !== before.completion?.sequence)
    return 'its work was declared complete meanwhile';
  const isStill = isNamed || entry === undefined || isLostWithServer(entry);
  return isStill ? null : 'it has ended by itself, or was gone before its server';
}
