import type { RestoreReport } from '../../../core/restore/report.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import { lostSessionOf } from '../reopen/lost-session-of.ts';
import type { ReopenOrder, ReopenResult } from '../reopen/order.ts';
import { reopenSession } from '../reopen/reopen-session.ts';
import { reopenedOr } from '../reopen/trouble.ts';
import { isTrouble } from '../trouble.ts';
import { type LostSession, reopeningIn } from './lost-sessions.ts';

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
    const isThere =
      result.state === 'lives' ||
      result.state === 'over' ||
      (result.state === 'busy' && told.exit === 'refused');
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
