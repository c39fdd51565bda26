import { belongingsIn } from '../../../core/close/belongings.ts';
import { agentsIn, endedNotes } from '../../../core/close/ended.ts';
import { type About, aboutArchive, type ReceiptParts, receiptBody } from '../../../core/close/receipt.ts';
import { resumeIn } from '../../../core/close/reopening.ts';
import { digestsIn, sealOf } from '../../../core/close/seal.ts';
import { whereaboutsOf } from '../../../core/close/whereabouts.ts';
import type { ServerIdentity } from '../../../core/identity.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import type { Json, JsonObject } from '../../../core/ledger/json.ts';
import { listIn, numberIn, objectIn, textIn, wordsIn } from '../../../core/ledger/json-values.ts';
import type { Roll } from '../../../core/roll.ts';
import { BLOCKER_KINDS } from '../../../core/verdict.ts';
import { keepArchived } from '../conversations/archived.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import type { Recovery } from '../recovery.ts';
import { goneOf } from './living-agents.ts';
import { resumeOf } from './partial-receipt.ts';
import { type LeftBehind, sweepAfterwards } from './recover-sweep.ts';
import { newWord } from './word.ts';

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
  const server = serverIn(body);
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
    left = await sweepAfterwards(hands, server, body, roll);
  }
  const told = { ...RECOVERED, ...left, claims: facts?.claims ?? null };
  await record(hands, intent, told, { isOtherBoot: bootId !== roll.host.bootId });
  return done;
}

type Told = Pick<ReceiptParts, 'result' | 'claims' | 'notes' | 'rungs' | 'survivors'>;

const RECOVERED = {
  result: 'recovered',
  notes: ['whoever closed it was stopped before it could say what it did; the session is gone'],
} as const;

/** The session stands, and its agent may not: then there is a receipt to start it again from, once. */
async function tellEnded(hands: Hands, intent: LedgerEntry, claims: ReceiptParts['claims']): Promise<void> {
  const { sequence, session, body } = intent;
  const archive = hands.archive.read(textIn(body.archive) ?? '');
  if (archive.state !== 'read' || sealOf(body, archive.digest) === 'changed') return;
  const ended = goneOf(hands, agentsIn(archive.document, belongingsIn(body).paneIds));
  const { entries } = hands.ledger.read({ about: session?.key ?? '' });
  if (ended.length === 0 || entries.some(({ kind, cause }) => kind === 'receipt' && cause === sequence)) {
    return;
  }
  const notes = ['whoever closed it was stopped; the session stands', ...endedNotes(ended)];
  const partial = { result: 'partial', claims, notes, rungs: [], survivors: [] } as const;
  await record(hands, intent, partial, { resume: resumeOf(ended) });
}

interface More {
  readonly resume?: ReceiptParts['resume'];
  readonly isOtherBoot?: boolean;
}

async function record(hands: Hands, intent: LedgerEntry, told: Told, more: More): Promise<void> {
  const { session, sequence: cause } = intent;
  const body = await receiptFor(hands, intent, told, more);
  hands.onStep?.('receipt', 'before');
  hands.ledger.append({ kind: 'receipt', action: 'close', session, cause, body });
  hands.onStep?.('receipt', 'after');
}

async function receiptFor(
  hands: Hands,
  { session, body }: LedgerEntry,
  told: Told,
  { resume, isOtherBoot = false }: More,
): Promise<JsonObject> {
  const id = textIn(body.archive) ?? newWord();
  const archive = hands.archive.read(id);
  // What was changed since then says nothing about the session.
  const isChanged = archive.state === 'read' && sealOf(body, archive.digest) === 'changed';
  const document = archive.state === 'read' && !isChanged ? archive.document : {};
  const nothing: About = { session: { ...session }, agent: null, verdict: null, evidence: [] };
  hands.onStep?.('conversations', 'before');
  const kept = await keepArchived(hands, id, document, { isOtherBoot });
  hands.onStep?.('conversations', 'after');
  const changed = isChanged ? [`its archive ${id} is not as it was written`] : [];
  return receiptBody({
    ...told,
    conversations: kept.conversations,
    notes: [...told.notes, ...changed, ...kept.notes],
    id,
    digests: digestsIn(body),
    reason: textIn(body.reason),
    about: aboutArchive(document) ?? nothing,
    isForced: body.isForced === true,
    despite: wordsIn(body.despite) ?? [],
    waived: listIn(body.waived).map(waivedIn),
    archive: archive.state === 'read' ? archive.path : null,
    resume: resume === undefined ? resumeIn(document) : resume,
  });
}

// An earlier version told no kind.
function waivedIn(value: Json): ReceiptParts['waived'][number] {
  const { code, kind, text } = objectIn(value) ?? {};
  const known = BLOCKER_KINDS.find((one) => one === kind);
  return { code: textIn(code) ?? '', ...(known && { kind: known }), text: textIn(text) ?? '' };
}

function serverIn(body: JsonObject): ServerIdentity | null {
  const server = objectIn(body.server);
  const [socketPath, pid] = [textIn(server?.socketPath), numberIn(server?.pid)];
  if (socketPath === null || pid === null) return null;
  return { socketPath, pid, startTicks: numberIn(server?.startTicks) ?? 0 };
}
