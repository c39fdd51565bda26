import type { LedgerEntry } from './entry.ts';
import type { Json, JsonObject } from './json.ts';

/** What a session works on and for whom. Recorded and shown; a close releases none of it. */
export const CLAIMS = ['task', 'role', 'owner', 'branch', 'worktree', 'pr'] as const;

export type Claims = { readonly [C in (typeof CLAIMS)[number]]: string | null };

/** When something became a fact, and by which entry. */
interface Since {
  readonly at: number;
  readonly sequence: number;
}

/** What the ledger says about one generation of a session. */
export interface SessionFacts {
  readonly key: string;
  /** The last one that was recorded. */
  readonly name: string;
  /** How it came under rollcall's care. */
  readonly origin: (Since & { readonly how: 'started' | 'adopted' | 'reopened' }) | null;
  readonly held: (Since & { readonly reason: string | null }) | null;
  readonly retained: (Since & { readonly until: number | null; readonly reason: string | null }) | null;
  readonly claims: Claims;
  readonly completion: (Since & { readonly outcome: string; readonly body: JsonObject }) | null;
  /** The close that is on its way; `sequence` is its intent. */
  readonly closing: Since | null;
  readonly closed: (Since & { readonly receipt: string }) | null;
}

const NO_CLAIMS: Claims = { task: null, role: null, owner: null, branch: null, worktree: null, pr: null };

/**
 * Folds the ledger into what holds now, by session key: a session that was replaced under the same name starts with
 * nothing. A declaration counts at once; what was intended counts when its outcome has `result: 'done'`, and then with
 * what intent and outcome say together. Facts of a session that was closed stay: they are needed to reopen it.
 */
export function currentFacts(entries: readonly LedgerEntry[]): ReadonlyMap<string, SessionFacts> {
  const facts = new Map<string, SessionFacts>();
  const intents = new Map<number | null, LedgerEntry>();
  for (const entry of entries) {
    if (entry.kind === 'intent') intents.set(entry.sequence, entry);
    const { session } = entry;
    if (session === null || session.key === null) continue;
    const known = facts.get(session.key) ?? unknownSession(session.key);
    const change = changeBy(entry, intents.get(entry.cause), known);
    facts.set(session.key, { ...known, name: session.name, ...change });
  }
  return facts;
}

/** The name of a receipt: what its author gave it, else its place and the beginning of its hash. */
export function receiptName({ body, sequence, hash }: LedgerEntry): string {
  return textIn(body.receipt) ?? `${sequence}-${hash.slice(0, 8)}`;
}

function unknownSession(key: string): SessionFacts {
  const none = { origin: null, held: null, retained: null, completion: null, closing: null, closed: null };
  return { key, name: '', claims: NO_CLAIMS, ...none };
}

type Change = Partial<SessionFacts>;

function changeBy(entry: LedgerEntry, intent: LedgerEntry | undefined, known: SessionFacts): Change {
  const { kind, action, sequence, at, body } = entry;
  if (kind === 'intent') return action === 'close' ? { closing: { at, sequence } } : {};
  if (kind === 'receipt') {
    return action === 'close' ? { closed: { at, sequence, receipt: receiptName(entry) } } : {};
  }
  const isEffective = kind === 'declared' || (kind === 'outcome' && body.result === 'done');
  const effect = isEffective ? effectOf(entry, { ...intent?.body, ...body }, known) : {};
  // Whatever came of it, a close with an outcome is no longer on its way.
  const isCloseOver = kind === 'outcome' && action === 'close';
  return isCloseOver ? { ...effect, closing: null } : effect;
}

function effectOf({ action, at, sequence }: LedgerEntry, body: JsonObject, known: SessionFacts): Change {
  const since = { at, sequence };
  const claims = claimsIn(body.claims, known.claims);
  switch (action) {
    case 'run':
      return { origin: { ...since, how: 'started' }, claims };
    case 'adopt':
      return { origin: { ...since, how: 'adopted' }, claims };
    case 'reopen':
      return { origin: { ...since, how: 'reopened' }, claims };
    case 'claim':
      return { claims };
    case 'hold':
      return { held: { ...since, reason: textIn(body.reason) } };
    case 'unhold':
      return { held: null };
    case 'retain':
      return { retained: { ...since, until: numberIn(body.until), reason: textIn(body.reason) } };
    case 'complete':
      return { completion: { ...since, outcome: textIn(body.outcome) ?? 'done', body }, claims };
    case 'cancel':
      return { completion: null };
    default:
      return {};
  }
}

/** Claims that are not spoken of stay; null takes one back. */
function claimsIn(spoken: Json | undefined, known: Claims): Claims {
  if (typeof spoken !== 'object' || spoken === null || Array.isArray(spoken)) return known;
  const said = spoken as JsonObject;
  const changes = CLAIMS.filter((claim) => said[claim] !== undefined).map((claim) => [
    claim,
    textIn(said[claim]),
  ]);
  return { ...known, ...Object.fromEntries(changes) };
}

function textIn(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function numberIn(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
