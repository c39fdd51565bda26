import { readClosing } from '../../../core/close/bodies.ts';
import { whereaboutsOf } from '../../../core/close/whereabouts.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import type { Roll } from '../../../core/sight/roll.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import type { Recovery } from '../recovery.ts';
import { record, serverIn, tellEnded } from './recover-receipt.ts';
import { type LeftBehind, sweepAfterwards } from './recover-sweep.ts';

/**
 * What became of a close whose actor was stopped. A session that is exactly gone gets the receipt that is still missing;
 * one that stands is left as it stands. What it left running is ended where the intent names it.
 */
export async function recoverClose(hands: Hands, intent: LedgerEntry, roll: Roll): Promise<Recovery | null> {
  const { session, host, bootId, body } = intent;
  const key = session?.key ?? null;
  if (session === null || key === null || host !== roll.host.machineId) return null;
  const done = { session, body: { result: 'done' } };
  const facts = factsOf(hands, { key });
  if (facts?.closed) return done;
  const closing = readClosing(body);
  const server = serverIn(closing);
  const interrupted = (text: string) => ({ session, body: { result: 'interrupted', text } });
  if (server === null) return interrupted('whoever closed it was stopped');
  let left: LeftBehind = { rungs: [], survivors: [] };
  // Processes of an earlier boot are gone, and their numbers may be others' by now.
  if (bootId === roll.host.bootId) {
    const where = whereaboutsOf({ key, server }, roll, hands.processes.sense());
    if (where.state === 'unknown') return null;
    if (where.state === 'there') {
      await tellEnded(hands, intent, facts?.claims ?? null);
      return interrupted('whoever closed it was stopped; it still stands');
    }
    left = await sweepAfterwards(hands, server, closing, roll);
  }
  const told = { ...RECOVERED, ...left, claims: facts?.claims ?? null };
  await record(hands, intent, told, { isOtherBoot: bootId !== roll.host.bootId });
  return done;
}

const RECOVERED = {
  result: 'recovered',
  notes: ['whoever closed it was stopped before it could say what it did; the session is gone'],
} as const;
