import { type About, aboutArchive, receiptBody } from '../../../core/close/receipt.ts';
import { resumeIn } from '../../../core/close/reopening.ts';
import { whereaboutsOf } from '../../../core/close/whereabouts.ts';
import type { ServerIdentity } from '../../../core/identity.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import type { JsonObject } from '../../../core/ledger/json.ts';
import { listIn, numberIn, objectIn, textIn, wordsIn } from '../../../core/ledger/json-values.ts';
import type { Roll } from '../../../core/roll.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import type { Recovery } from '../recovery.ts';
import { type LeftBehind, sweepAfterwards } from './recover-sweep.ts';
import { newWord } from './word.ts';

/**
 * What became of a close whose actor was stopped. A session that is exactly gone gets the receipt that is still missing;
 * one that stands is left as it stands. What it left running is ended where the intent names it.
 */
export async function recoverClose(hands: Hands, intent: LedgerEntry, roll: Roll): Promise<Recovery | null> {
  const { session, host, bootId, sequence: cause, body } = intent;
  const key = session?.key ?? null;
  if (session === null || key === null || host !== roll.host.machineId) return null;
  const done = { session, body: { result: 'done' } };
  const facts = factsOf(hands, { key });
  if (facts?.closed) return done;
  const server = serverIn(body);
  const interrupted = (text: string) => ({ session, body: { result: 'interrupted', text } });
  if (server === null) return interrupted('whoever closed it was stopped');
  let left: LeftBehind = { rungs: [], survivors: [] };
  // Processes of an earlier boot are gone, and their numbers may be others' by now.
  if (bootId === roll.host.bootId) {
    const where = whereaboutsOf({ key, server }, roll, hands.processes.sense());
    if (where.state === 'unknown') return null;
    if (where.state === 'there') return interrupted('whoever closed it was stopped; it still stands');
    left = await sweepAfterwards(hands, server, body, roll);
  }
  const receipt = receiptFor(hands, intent, facts?.claims ?? null, left);
  hands.onStep?.('receipt', 'before');
  hands.ledger.append({ kind: 'receipt', action: 'close', session, cause, body: receipt });
  hands.onStep?.('receipt', 'after');
  return done;
}

function receiptFor(
  hands: Hands,
  { session, body }: LedgerEntry,
  claims: Parameters<typeof receiptBody>[0]['claims'],
  left: LeftBehind,
): JsonObject {
  const id = textIn(body.archive) ?? newWord();
  const archive = hands.archive.read(id);
  const document = archive.state === 'read' ? archive.document : {};
  const nothing: About = { session: { ...session }, agent: null, verdict: null, evidence: [] };
  return receiptBody({
    ...{ id, result: 'recovered', claims },
    reason: textIn(body.reason),
    about: aboutArchive(document) ?? nothing,
    isForced: body.isForced === true,
    despite: wordsIn(body.despite) ?? [],
    waived: listIn(body.waived).map((one) => ({
      code: textIn(objectIn(one)?.code) ?? '',
      text: textIn(objectIn(one)?.text) ?? '',
    })),
    ...left,
    archive: archive.state === 'read' ? archive.path : null,
    notes: ['whoever closed it was stopped before it could say what it did; the session is gone'],
    resume: resumeIn(document),
  });
}

function serverIn(body: JsonObject): ServerIdentity | null {
  const server = objectIn(body.server);
  const [socketPath, pid] = [textIn(server?.socketPath), numberIn(server?.pid)];
  if (socketPath === null || pid === null) return null;
  return { socketPath, pid, startTicks: numberIn(server?.startTicks) ?? 0 };
}
