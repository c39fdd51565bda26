import type { KeptConversation } from '../conversation/kept.ts';
import type { Claims } from '../ledger/current-facts.ts';
import type { Json, JsonObject } from '../ledger/json.ts';
import { objectIn, plain } from '../ledger/json-values.ts';
import type { SessionEntry } from '../sight/roll.ts';
import type { Sleeper } from '../sleep/asleep.ts';
import { visible } from '../text/visible.ts';
import type { Blocker } from '../verdict/verdict.ts';
import type { Rung } from './ladder.ts';
import type { Digests } from './seal.ts';

/** One rung that was climbed, and what came of it. */
export interface RungReport {
  readonly rung: 'archive' | Rung;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly result: 'done' | 'skipped' | 'unanswered' | 'failed';
  readonly text: string;
}

/** A process that belonged to a closed session and lives on. */
export interface Survivor {
  readonly pid: number;
  readonly startTicks: number;
  readonly program: string;
}

/**
 * `closed` by rollcall; `finished` when its program ended in order or after its completion; `gone` when it was lost before; `recovered` when the one who closed it did not live to say so;
 * `partial` when an agent was ended and the session was not: it is not closed; `asleep` when its agent sleeps and the session stays.
 */
export const RECEIPT_RESULTS = ['closed', 'finished', 'gone', 'recovered', 'partial', 'asleep'] as const;

/** What stood against a close and was set aside; a close that an earlier version began told no kind. */
export type Waived = Omit<Blocker, 'kind'> & Partial<Pick<Blocker, 'kind'>>;

/** What a close leaves behind, and what the session can be reopened from. */
export interface ReceiptParts {
  readonly id: string;
  readonly result: (typeof RECEIPT_RESULTS)[number];
  readonly reason: string | null;
  readonly about: About;
  readonly waived: readonly Waived[];
  readonly despite: readonly string[];
  readonly isForced: boolean;
  readonly rungs: readonly RungReport[];
  readonly archive: string | null;
  /** Of its files; null where there is no archive, or it is not as the intent has it. */
  readonly digests: Digests | null;
  readonly survivors: readonly Survivor[];
  /** What else a person should know: something brought it back, windows live on elsewhere. */
  readonly notes: readonly string[];
  readonly resume: readonly string[] | null;
  /** What was found of each conversation after its agent had left. */
  readonly conversations: readonly KeptConversation[];
  readonly claims: Claims | null;
  /** What waits in the place of its agent, and how much memory came back. */
  readonly sleeper?: Sleeper & { readonly freedBytes: number | null; readonly isPaneKept: boolean };
}

/** The session as it was when it was decided to close it. */
export interface About {
  readonly session: JsonObject;
  readonly agent: Json;
  readonly verdict: Json;
  readonly evidence: Json;
}

export function aboutEntry(entry: SessionEntry): About {
  const { key, name, sessionId, createdAt, server, agent, evidence } = entry;
  const { activity, lifecycle, since, reasons, checks, protections } = entry;
  const verdict = { activity, lifecycle, since, reasons, checks, protections };
  const whole = plain({ session: { key, name, sessionId, createdAt, server }, agent, verdict, evidence });
  return whole as unknown as About;
}

/** The same from what was archived; null where the archive does not tell. */
export function aboutArchive(document: JsonObject): About | null {
  const { agent = null, verdict = null, evidence = [] } = document;
  const session = objectIn(document.session);
  return session && { session, agent, verdict, evidence };
}

/** Evidence beyond this stays in the archive only: an entry of the ledger has its bounds. */
const MAX_EVIDENCE_LENGTH = 100_000;

/** The receipt as the ledger records it. */
export function receiptBody(parts: ReceiptParts): JsonObject {
  const { id, about, waived, despite, rungs, survivors, notes, resume } = parts;
  const isSmall = JSON.stringify(about.evidence).length <= MAX_EVIDENCE_LENGTH;
  return shown({
    receipt: id,
    result: parts.result,
    reason: parts.reason,
    session: about.session,
    agent: about.agent,
    verdict: about.verdict,
    isForced: parts.isForced,
    waived: waived.map(plain),
    despite,
    rungs: rungs.map(plain),
    archive: parts.archive,
    digests: parts.digests && { ...parts.digests },
    survivors: survivors.map(plain),
    notes,
    resume,
    conversations: parts.conversations.map(plain),
    claims: parts.claims && plain(parts.claims),
    ...(parts.sleeper && { sleeper: plain(parts.sleeper) }),
    evidence: isSmall ? about.evidence : [],
  });
}

// Words of a command line stay as they are: somebody may run them.
function shown(body: JsonObject): JsonObject {
  const made = Object.entries(body).map(([key, value]) => [key, key === 'resume' ? value : deep(value)]);
  return Object.fromEntries(made);
}

function deep(value: Json): Json {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return (value as readonly Json[]).map(deep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, deep(part)]));
}
