import type { StartedBody } from '../../../core/close/bodies.ts';
import { NOTHING_KEPT } from '../../../core/close/kept-document.ts';
import { receiptBody } from '../../../core/close/receipt.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { Digests } from '../../../core/close/seal.ts';
import type { EntrySession } from '../../../core/ledger/entry.ts';
import { plain } from '../../../core/ledger/json.ts';
import { canSleep, sleepArchive } from '../../../core/sleep/sleep-document.ts';
import { keepArchived } from '../conversations/keep.ts';
import { newReceiptId, recordStep } from '../deed.ts';
import { factsOf, type Hands } from '../hands.ts';
import type { Birth } from '../run-find.ts';
import { awaitPeople, sleeperOf, sleeperWish } from '../sleep/sleeper.ts';
import { resumeBy } from './by-agents.ts';
import type { ReopenOrder, ReopenResult } from './order.ts';

/** What an agent that is made again asleep wakes from, on the disk before anything is started. */
export interface AsleepFrom {
  /** The word of the run, of the archive, of the receipt and of the sleeper. */
  readonly word: string;
  readonly digests: Digests;
}

/** Archives what is to sleep. Null where it comes back awake: nobody wants it asleep, or nothing in it can sleep. */
export function archiveAsleep(
  hands: Hands,
  { isAsleep }: Pick<ReopenOrder, 'isAsleep'>,
  kept: Reopening,
): AsleepFrom | Extract<ReopenResult, { state: 'failed' }> | null {
  if (!isAsleep || !canSleep(kept)) return null;
  const resumed = resumeBy(hands.agents)(kept.agent?.kind ?? '', kept.agent?.conversation ?? null, []);
  if (resumed === null) return { state: 'failed', text: 'how to wake it is not known', hint: null };
  const word = newReceiptId();
  const archived = hands.archive.write(word, {
    ...sleepArchive(kept, { id: word, at: hands.now(), resume: resumed.argv }),
    histories: new Map(),
  });
  if (archived.state === 'failed') return { state: 'failed', text: archived.text, hint: archived.hint };
  return { word, digests: archived.digests };
}

/** What is started in the place of the agent. */
export function sleeperFor(hands: Hands, kept: Reopening, name: string, word: string) {
  const sign = {
    ...{ receipt: word, session: name, kind: kept.agent?.kind ?? '' },
    ...{ conversation: kept.agent?.conversation ?? null, cwd: kept.cwd },
    ...{ at: hands.now(), bytes: null, resume: kept.argv },
  };
  return sleeperWish(hands, sign, null);
}

/**
 * Writes the receipt from which it wakes, for the session that was made, once. The archive has all that it tells; `body` is
 * that of the intent.
 */
export async function receiveAsleep(
  hands: Hands,
  { cause, body }: { readonly cause: number; readonly body: Pick<StartedBody, 'run' | 'digests'> },
  { pane }: Birth,
  session: EntrySession,
): Promise<void> {
  const word = body.run ?? '';
  if (factsOf(hands, session)?.asleep?.receipt === word) return;
  const archive = hands.archive.read(word);
  const document = archive.state === 'read' ? archive.document : NOTHING_KEPT;
  const { agent = null } = document;
  const own = document.panes.find((pane) => pane.agent?.conversation === agent?.conversation)?.agent;
  const { server, sessionId, createdAtSeconds } = pane.session;
  const sleeper = sleeperOf(hands, pane);
  const unawaited = await awaitPeople(hands, pane.session, sleeper);
  const kept = await keepArchived(hands, word, document);
  const createdAt = createdAtSeconds * 1000;
  const made = { key: session.key ?? '', name: session.name, sessionId, createdAt, server: { ...server } };
  const receipt = receiptBody({
    ...{ id: word, result: 'asleep', reason: 'it was made again asleep', waived: [], despite: [] },
    about: { session: made, agent, verdict: null, evidence: [] },
    ...{ isForced: false, rungs: [], survivors: [], claims: null, resume: own?.resume ?? null },
    ...{ archive: archive.path, digests: body.digests },
    ...{ conversations: kept.conversations, notes: [...unawaited, ...kept.notes] },
    sleeper: { ...sleeper, freedBytes: null, isPaneKept: false },
  });
  const draft = { kind: 'receipt', action: 'hibernate', session, cause, body: plain(receipt) } as const;
  recordStep(hands, 'asleep', draft);
}
