import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { LostBy } from '../../../core/memory/lost-by.ts';
import { isLostWithServer } from '../../../core/restore/offer.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import { lastLayout } from '../../layouts/last-layout.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import { onlyAgents } from '../reopen/by-agents.ts';
import { keptOf } from '../reopen/kept.ts';
import { lostSessionOf } from '../reopen/lost-session-of.ts';
import type { ReopenResult } from '../reopen/order.ts';

/** A session that is to be brought back, with what it is made from. */
export interface LostSession {
  readonly entry: SessionEntry & { readonly lostBy: LostBy };
  readonly closed: ClosedSession;
  /** Somebody asked for this very one. */
  readonly isNamed: boolean;
  /** When it was last known to be there. */
  readonly lastSeenAt: number;
  /** What would be made, or why that cannot be. */
  readonly kept: ReturnType<typeof keptOf>;
}

/** Which of those that are gone are meant. */
export interface RestoreWish {
  /** Only what was there at this time or later; epoch ms. */
  readonly since: number | null;
  /** Whether programs are started again that are no agents. */
  readonly hasPrograms: boolean;
  /** Nothing is started: a sleeper waits in the place of each agent. */
  readonly isAsleep?: boolean;
  /** These and no others, also where only the session is gone and its server lives. */
  readonly named: readonly SessionEntry[] | null;
}

/** Everything that was lost with its server, or what was named, the one that was seen last first. */
export function lostSessions(
  hands: Hands,
  sessions: readonly SessionEntry[],
  { since, named, hasPrograms, isAsleep = false }: RestoreWish,
): LostSession[] {
  return (named ?? sessions.filter(isLostWithServer))
    .flatMap((entry) => lostAs(hands, entry, named !== null))
    .map((lost) => (hasPrograms ? lost : withShells(hands, lost, isAsleep)))
    .filter(({ lastSeenAt }) => since === null || lastSeenAt >= since)
    .sort((one, other) => other.lastSeenAt - one.lastSeenAt);
}

function lostAs(hands: Hands, entry: SessionEntry, isNamed: boolean): LostSession[] {
  const { lostBy } = entry;
  const facts = factsOf(hands, entry);
  // Whoever was reopened meanwhile is not expected any more.
  if (facts === undefined || facts.reopened !== null || facts.closed !== null || !lostBy) return [];
  const closed = lostSessionOf(hands, facts);
  const seenAt = lastLayout(hands, facts).layout?.at ?? 0;
  const kept = keptOf(hands, { closed });
  const lastSeenAt = Math.max(entry.since, seenAt);
  return [{ entry: { ...entry, lostBy }, closed, isNamed, lastSeenAt, kept }];
}

function withShells(hands: Hands, lost: LostSession, isAsleep: boolean): LostSession {
  const { kept } = lost;
  return 'state' in kept ? lost : { ...lost, kept: onlyAgents(hands, kept, { isAsleep }) };
}

/** What would be made of it; null where that cannot be. */
export function reopeningIn(kept: Reopening | ReopenResult): Reopening | null {
  return 'state' in kept ? null : kept;
}
