import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { LostBy } from '../../../core/memory/lost-by.ts';
import { isLostWithServer } from '../../../core/restore/offer.ts';
import type { RestoreReport } from '../../../core/restore/report.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import { lastLayout } from '../../layouts/last-layout.ts';
import { factsOf, type Hands } from '../hands.ts';
import { onlyAgents } from '../reopen/by-agents.ts';
import { keptOf } from '../reopen/kept.ts';
import { lostSessionOf } from '../reopen/lost-session-of.ts';
import type { ReopenOrder, ReopenResult } from '../reopen/order.ts';
import { reopenSession } from '../reopen/reopen-session.ts';
import { reopenedOr } from '../reopen/trouble.ts';
import { isTrouble } from '../trouble.ts';

/** How sessions are brought back. */
export type RestoreOrder = Pick<ReopenOrder, 'caller' | 'shell' | 'argv' | 'isAsleep' | 'isWithoutPrograms'>;

/** Of several with one name that come back at once each may find the name free; whoever is late takes the next. */
const TRIES = 5;

/** Brings one lost session back, or says why not. What becomes of it keeps no other. */
export async function restoreSession(
  hands: Hands,
  lost: LostSession,
  order: RestoreOrder,
): Promise<RestoreReport> {
  try {
    return reportOn(hands, lost, await tryIt(hands, lost, order));
  } catch (error) {
    return failed(lost, (error as Error).message, null);
  }
}

// Hours may have gone by since it was listed: what was said of it since comes along.
async function tryIt(hands: Hands, lost: LostSession, order: RestoreOrder): Promise<ReopenResult> {
  const { facts } = lost.closed;
  const lostAs = { facts, isNamed: lost.isNamed };
  for (let tries = 1; ; tries += 1) {
    const now = factsOf(hands, facts);
    const closed = now === undefined ? lost.closed : lostSessionOf(hands, now);
    const result = await reopenSession(hands, {
      ...{ ...order, closed, lostAs, socketPath: null, name: null, onCollision: 'suffix' },
    });
    if (result.state !== 'name-taken' || tries >= TRIES) return result;
  }
}

/** What would come back, and nothing is done. */
export function planOn(hands: Hands, lost: LostSession): RestoreReport {
  const { kept } = lost;
  if (!('state' in kept)) return { ...about(lost), result: 'would-restore' };
  const told = reopenedOr(kept, hands.now());
  return isTrouble(told) ? failed(lost, told.text, told.hint) : about(lost);
}

function reportOn(hands: Hands, lost: LostSession, result: ReopenResult): RestoreReport {
  const told = reopenedOr(result, hands.now());
  if (isTrouble(told)) {
    // Whoever holds its lock brings it back; whoever only writes at the moment does not.
    const { state } = result;
    const isThere = state === 'lives' || state === 'over' || (state === 'busy' && told.exit === 'refused');
    const report = failed(lost, told.text, told.hint);
    return isThere ? { ...report, result: 'already' } : report;
  }
  const { key, name, reopening, missing } = told;
  const renamed = name === reopening.name ? [] : [`its name was taken: it is called '${name}'`];
  return {
    ...about({ ...lost, kept: reopening }),
    ...{ result: 'restored', session: { key, name }, missing: [...missing, ...renamed] },
    isAsleep: told.isAsleep === true,
  };
}

function failed(lost: LostSession, text: string, hint: string | null): RestoreReport {
  return { ...about(lost), result: 'failed', text, hint };
}

function about({ entry, closed, lastSeenAt, kept }: LostSession): RestoreReport {
  const { key, name, lostBy, server } = entry;
  const reopening = reopeningIn(kept);
  const windows = reopening?.windows ?? [];
  const panes = windows.reduce((sum, window) => sum + window.panes.length, 0);
  return {
    ...{ key, name, lostBy, lastSeenAt, socketPath: server.socketPath },
    ...{ result: 'would-restore', text: null, hint: null, session: null },
    agent: reopening?.agent?.kind ?? null,
    conversation: reopening?.agent?.conversation ?? null,
    windows: Math.max(1, windows.length),
    panes: Math.max(1, panes),
    isHeld: closed.facts.held !== null,
    isAsleep: false,
    missing: [...(reopening?.missing ?? [])],
  };
}

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
