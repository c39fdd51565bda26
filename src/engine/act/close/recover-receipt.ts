import { readClosing, type StartedBody } from '../../../core/close/bodies.ts';
import { agentsIn, endedNotes, leavingNotes } from '../../../core/close/ended.ts';
import { NOTHING_KEPT } from '../../../core/close/kept-document.ts';
import { aboutArchive, type Receipt, type ReceiptParts, receiptBody } from '../../../core/close/receipt.ts';
import { resumeIn } from '../../../core/close/reopening.ts';
import { sealOf } from '../../../core/close/seal.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import { plain } from '../../../core/ledger/json.ts';
import type { ServerIdentity } from '../../../core/sight/identity.ts';
import { keepArchived } from '../conversations/keep.ts';
import { newReceiptId, recordStep, stepsOf } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { mayStillLeave, resumeOf } from './partial-receipt.ts';
import { goneOf } from './processes.ts';

export type KnownClose = Pick<
  ReceiptParts,
  'result' | 'claims' | 'notes' | 'rungs' | 'survivors' | 'sleeper'
>;

/**
 * The session stands, or nobody closed it, and its agent has ended, or may still leave: then there is a receipt to start it again
 * from, once.
 * After a restart of the machine all have ended, and their numbers may be others' by now.
 */
export async function tellEnded(
  hands: Hands,
  intent: LedgerEntry,
  claims: ReceiptParts['claims'],
  { text, isOtherBoot = false }: { readonly text: string } & Pick<More, 'isOtherBoot'>,
): Promise<void> {
  const { sequence, session } = intent;
  const closing = readClosing(intent.body);
  const archive = hands.archive.read(closing.archive ?? '');
  if (archive.state !== 'read' || sealOf(closing, archive.digest) === 'changed') return;
  const agents = agentsIn(archive.document, closing.panes);
  const ended = isOtherBoot ? agents : goneOf(hands, agents);
  const key = session?.key ?? '';
  const server = serverIn(closing);
  const { sessionId, createdAtSeconds } = closing;
  const target = server && { server, sessionId, createdAtSeconds };
  const left = { key, target, panes: archive.document.panes };
  const leaving = await mayStillLeave(hands, left, agents, ended);
  const { entries } = hands.ledger.read({ about: key });
  const isTold = entries.some(({ kind, cause }) => kind === 'receipt' && cause === sequence);
  if (isTold || (ended.length === 0 && leaving.length === 0)) return;
  const notes = [text, ...endedNotes(ended), ...leavingNotes(leaving)];
  const partial = { result: 'partial', claims, notes, rungs: [], survivors: [] } as const;
  await record(hands, intent, partial, { resume: resumeOf([...ended, ...leaving]), isOtherBoot });
}

interface More {
  readonly resume?: ReceiptParts['resume'];
  readonly isOtherBoot?: boolean;
}

export async function record(hands: Hands, intent: LedgerEntry, told: KnownClose, more: More): Promise<void> {
  const { action, session, sequence: cause } = intent;
  const body = plain(await receiptFor(hands, intent, told, more));
  recordStep(hands, 'receipt', { kind: 'receipt', action, session, cause, body });
}

async function receiptFor(
  hands: Hands,
  { session, body }: LedgerEntry,
  told: KnownClose,
  { resume, isOtherBoot = false }: More,
): Promise<Receipt> {
  const closing = readClosing(body);
  const { reason, isForced, digests, waived } = closing;
  const id = closing.archive ?? newReceiptId();
  const archive = hands.archive.read(id);
  // What was changed since then says nothing about the session.
  const isChanged = archive.state === 'read' && sealOf(closing, archive.digest) === 'changed';
  const document = archive.state === 'read' && !isChanged ? archive.document : NOTHING_KEPT;
  const kept = await stepsOf(hands)('conversations', () =>
    keepArchived(hands, id, document, { isOtherBoot }),
  );
  const changed = isChanged ? [`its archive ${id} is not as it was written`] : [];
  return receiptBody({
    ...told,
    conversations: kept.conversations,
    notes: [...told.notes, ...changed, ...kept.notes],
    id,
    digests,
    reason,
    about: aboutArchive(document, session),
    isForced,
    despite: closing.despite ?? [],
    waived,
    archive: archive.state === 'read' ? archive.path : null,
    resume: resume === undefined ? resumeIn(document) : resume,
  });
}

export function serverIn({ server }: Pick<StartedBody, 'server'>): ServerIdentity | null {
  if (server?.socketPath == null || server.pid === null) return null;
  return { socketPath: server.socketPath, pid: server.pid, startTicks: server.startTicks ?? 0 };
}
