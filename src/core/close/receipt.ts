import * as v from 'valibot';
import { described } from '../../schema/described.ts';
import type { Recorded } from '../../schema/recorded.ts';
import { keptConversation } from '../conversation/kept.ts';
import type { EntrySession } from '../ledger/entry.ts';
import { CLAIMS } from '../ledger/session-facts.ts';
import type { SessionEntry } from '../sight/roll.ts';
import { visibleDeep } from '../text/visible.ts';
import { BLOCKER_KINDS } from '../verdict/verdict.ts';
import type { KeptDocument } from './kept-document.ts';
import { RUNGS } from './ladder.ts';

const at = described(v.number(), 'epoch milliseconds');

export const rungName = v.picklist(['archive', ...RUNGS]);

export const blockerKind = described(
  v.picklist(BLOCKER_KINDS),
  '`would-lose`: closing would or may lose something, which prevents every close; `unfinished`: nothing is lost, and only an automatic close is prevented',
);

/** One rung that was climbed, and what came of it. */
export const rungSchema = v.object({
  rung: rungName,
  startedAt: at,
  endedAt: at,
  result: described(
    v.picklist(['done', 'skipped', 'unanswered', 'failed']),
    '`unanswered`: it was done, and what should have ended did not',
  ),
  text: v.string(),
});

/** A process that belonged to a closed session and lives on. */
export const survivor = v.object({ pid: v.number(), startTicks: v.number(), program: v.string() });

/** What stood against a close and was set aside; a close that an earlier version began told no kind. */
const waived = v.object({ code: v.string(), kind: v.optional(blockerKind), text: v.string() });

const claims = v.object(Object.fromEntries(CLAIMS.map((claim) => [claim, v.nullable(v.string())])));

/** What a close leaves behind, and what the session can be reopened from: the body of its entry in the ledger. */
export const receiptSchema = v.object({
  receipt: described(v.string(), 'its name, which `rollcall reopen` takes; the archive has the same'),
  result: described(
    v.picklist(['closed', 'finished', 'gone', 'recovered', 'partial', 'asleep']),
    '`finished`: its program ended with status 0, or after its completion; `gone`: it was lost, or its program had ended otherwise, before; `recovered`: whoever closed it was stopped before it could say so; `partial`: an agent was ended, and then the close stopped, so the session is not closed; `asleep`: its agent sleeps, and the session stays',
  ),
  reason: described(v.nullable(v.string()), 'as given with --reason'),
  session: v.looseObject({ key: v.string(), name: v.string() }),
  agent: v.nullable(v.looseObject({})),
  verdict: described(v.nullable(v.looseObject({})), 'on which it was closed'),
  isForced: v.boolean(),
  waived: described(
    v.array(waived),
    'what stood against it and was set aside; earlier versions told no `kind`',
  ),
  despite: described(v.array(v.string()), 'protections that were set aside'),
  rungs: v.array(rungSchema),
  archive: described(v.nullable(v.string()), 'path of what was kept'),
  digests: described(
    v.optional(v.nullable(v.record(v.string(), v.string()))),
    'SHA-256 of each file of the archive, by its name; absent in receipts of earlier versions',
  ),
  survivors: described(v.array(survivor), 'processes that belonged to it and still run'),
  notes: v.array(v.string()),
  resume: described(v.nullable(v.array(v.string())), 'the argv that brings the conversation back'),
  conversations: described(v.optional(v.array(keptConversation)), 'absent in receipts of earlier versions'),
  sleeper: described(
    v.optional(
      v.object({
        paneId: v.string(),
        pid: v.number(),
        startTicks: v.number(),
        freedBytes: described(v.nullable(v.number()), 'memory that came back'),
        isPaneKept: described(v.boolean(), 'its pane stays when what was woken ends in it'),
      }),
    ),
    'what waits in the place of an agent that sleeps',
  ),
  claims: described(v.nullable(claims), 'a close releases none of them'),
  evidence: described(v.array(v.looseObject({})), 'empty where it is too much; the archive has it all'),
});

export type Receipt = v.InferOutput<typeof receiptSchema>;
export type RungReport = Readonly<v.InferOutput<typeof rungSchema>>;
export type Survivor = Readonly<v.InferOutput<typeof survivor>>;

/** The session as it was when it was decided to close it. */
export type ReceiptSubject = Pick<Receipt, 'session' | 'agent' | 'verdict' | 'evidence'>;

/** What a receipt is made of. */
export type ReceiptParts = {
  readonly [K in Exclude<keyof Receipt, 'receipt' | 'sleeper' | keyof ReceiptSubject>]-?: Recorded<
    Exclude<Receipt[K], undefined>
  >;
} & Pick<Receipt, 'sleeper'> & { readonly id: string; readonly about: ReceiptSubject };

export function aboutEntry(entry: SessionEntry): ReceiptSubject {
  const { key, name, sessionId, createdAt, server, agent, evidence } = entry;
  const { activity, lifecycle, since, reasons, checks, protections } = entry;
  return {
    session: { key, name, sessionId, createdAt, server },
    agent: agent && { ...agent },
    verdict: { activity, lifecycle, since, reasons, checks, protections },
    evidence: evidence.map((piece) => ({ ...piece })),
  };
}

/** The session as an archive tells of it; where it does not, the one that the close was about. */
export function aboutArchive(document: KeptDocument, meant: EntrySession | null): ReceiptSubject {
  const { session, agent = null, verdict = null, evidence = [] } = document;
  const { key, name } = { ...meant, ...session };
  const named = { ...session, key: key ?? '', name: name ?? '' };
  return { session: named, agent, verdict, evidence: [...evidence] };
}

/** Evidence beyond this stays in the archive only: an entry of the ledger has its bounds. */
const MAX_EVIDENCE_LENGTH = 100_000;

/** The receipt as the ledger records it. Words of a command line stay as they are: somebody may run them. */
export function receiptBody(parts: ReceiptParts): Receipt {
  const { id, about, resume, sleeper } = parts;
  const isSmall = JSON.stringify(about.evidence).length <= MAX_EVIDENCE_LENGTH;
  const body: Receipt = {
    receipt: id,
    result: parts.result,
    reason: parts.reason,
    session: about.session,
    agent: about.agent,
    verdict: about.verdict,
    isForced: parts.isForced,
    waived: [...parts.waived],
    despite: [...parts.despite],
    rungs: [...parts.rungs],
    archive: parts.archive,
    digests: parts.digests && { ...parts.digests },
    survivors: [...parts.survivors],
    notes: [...parts.notes],
    resume: null,
    conversations: [...parts.conversations],
    claims: parts.claims && { ...parts.claims },
    ...(sleeper && { sleeper }),
    evidence: isSmall ? about.evidence : [],
  };
  return { ...visibleDeep(body), resume: resume && [...resume] };
}
