import { belongingsIn } from '../../../core/close/belongings.ts';
import { agentsIn, endedNotes } from '../../../core/close/ended.ts';
import { type About, aboutArchive, type ReceiptParts, receiptBody } from '../../../core/close/receipt.ts';
import { resumeIn } from '../../../core/close/reopening.ts';
import { digestsIn, sealOf } from '../../../core/close/seal.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import type { Json, JsonObject } from '../../../core/ledger/json.ts';
import { listIn, numberIn, objectIn, textIn, wordsIn } from '../../../core/ledger/json-values.ts';
import type { ServerIdentity } from '../../../core/sight/identity.ts';
import { BLOCKER_KINDS } from '../../../core/verdict/verdict.ts';
import { keepArchived } from '../conversations/archived.ts';
import type { Hands } from '../hands.ts';
import { goneOf } from './living-agents.ts';
import { resumeOf } from './partial-receipt.ts';
import { newReceiptId } from './receipt-id.ts';

export type Told = Pick<ReceiptParts, 'result' | 'claims' | 'notes' | 'rungs' | 'survivors' | 'sleeper'>;

/**
 * The session stands, or nobody closed it, and its agent may have ended: then there is a receipt to start it again from, once.
 * After a restart of the machine all have ended, and their numbers may be others' by now.
 */
export async function tellEnded(
  hands: Hands,
  intent: LedgerEntry,
  claims: ReceiptParts['claims'],
  { isOtherBoot = false }: Pick<More, 'isOtherBoot'> = {},
): Promise<void> {
  const { sequence, session, body } = intent;
  const archive = hands.archive.read(textIn(body.archive) ?? '');
  if (archive.state !== 'read' || sealOf(body, archive.digest) === 'changed') return;
  const agents = agentsIn(archive.document, belongingsIn(body).paneIds);
  const ended = isOtherBoot ? agents : goneOf(hands, agents);
  const { entries } = hands.ledger.read({ about: session?.key ?? '' });
  if (ended.length === 0 || entries.some(({ kind, cause }) => kind === 'receipt' && cause === sequence)) {
    return;
  }
  const what =
    intent.action === 'close' ? 'closed it was stopped; the session stands' : 'put it to sleep was stopped';
  const notes = [`whoever ${what}`, ...endedNotes(ended)];
  const partial = { result: 'partial', claims, notes, rungs: [], survivors: [] } as const;
  await record(hands, intent, partial, { resume: resumeOf(ended), isOtherBoot });
}

interface More {
  readonly resume?: ReceiptParts['resume'];
  readonly isOtherBoot?: boolean;
}

export async function record(hands: Hands, intent: LedgerEntry, told: Told, more: More): Promise<void> {
  const { session, sequence: cause } = intent;
  const body = await receiptFor(hands, intent, told, more);
  hands.onStep?.('receipt', 'before');
  hands.ledger.append({ kind: 'receipt', action: intent.action, session, cause, body });
  hands.onStep?.('receipt', 'after');
}

async function receiptFor(
  hands: Hands,
  { session, body }: LedgerEntry,
  told: Told,
  { resume, isOtherBoot = false }: More,
): Promise<JsonObject> {
  const id = textIn(body.archive) ?? newReceiptId();
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

export function serverIn(body: JsonObject): ServerIdentity | null {
  const server = objectIn(body.server);
  const [socketPath, pid] = [textIn(server?.socketPath), numberIn(server?.pid)];
  if (socketPath === null || pid === null) return null;
  return { socketPath, pid, startTicks: numberIn(server?.startTicks) ?? 0 };
}
