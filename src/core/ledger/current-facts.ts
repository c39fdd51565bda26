import { type LedgerEntry, namespaceOf } from './entry.ts';
import { changeBy } from './fact-changes.ts';
import { type JsonObject, textIn } from './json.ts';
import { LOST_ENTRIES, type Loss, lossAfter, lossBy, mayHaveLost } from './loss.ts';
import { offeredBy } from './restore-notes.ts';
import type { Claims, SessionFacts, Since } from './session-facts.ts';

export { receiptName } from './fact-changes.ts';
export { CLAIMS, type Claims, type KeptUntil, type OwnPane, type SessionFacts } from './session-facts.ts';

const NO_CLAIMS: Claims = { task: null, role: null, owner: null, branch: null, worktree: null, pr: null };

/** A ledger, folded up to some entry. */
export interface Folded {
  readonly facts: ReadonlyMap<string, SessionFacts>;
  /** Intents without an outcome, by their sequence: what was under way when its actor stopped, or still is. */
  readonly openIntents: ReadonlyMap<number, LedgerEntry>;
  /** The last time that the ledger lost entries, if it ever did. */
  readonly loss: Loss | null;
  /** Which boot of a machine left out what was earlier to it, by machine: to another boot of it that may be missing. */
  readonly settledFor: Readonly<Record<string, string>>;
}

/** Before the first entry. */
export const UNFOLDED: Folded = { facts: new Map(), openIntents: new Map(), loss: null, settledFor: {} };

/** What a whole ledger says now, by session key. */
export function currentFacts(entries: readonly LedgerEntry[]): ReadonlyMap<string, SessionFacts> {
  return foldFacts(UNFOLDED, entries).facts;
}

/**
 * Folds further entries into what held before them, by session key: a session that was replaced under the same name
 * starts with nothing. A declaration counts at once; what was intended counts when its outcome has `result: 'done'`, and
 * then with what intent and outcome say together. Facts of a session that was closed stay: they are needed to reopen it.
 */
export function foldFacts(before: Folded, entries: readonly LedgerEntry[]): Folded {
  const facts = new Map(before.facts);
  const openIntents = new Map(before.openIntents);
  let { loss } = before;
  for (const entry of entries) {
    loss = lossBy(entry) ?? lossAfter(loss, entry);
    if (loss?.sequence === entry.sequence) holdAll(facts, loss);
    const intended = entry.cause === null ? undefined : openIntents.get(entry.cause)?.body;
    take(facts, entry, { ...intended, ...entry.body }, loss);
    offer(facts, entry);
    if (entry.kind === 'intent') openIntents.set(entry.sequence, entry);
    if (entry.kind === 'outcome') openIntents.delete(entry.cause as number);
  }
  return { ...before, facts, openIntents, loss };
}

/** What a folded ledger says of one session, also where only a loss of entries speaks of it. */
export function factsAbout({ facts, loss }: Folded, key: string): SessionFacts | undefined {
  const known = facts.get(key);
  return known ?? (mayHaveLost(loss, key) ? unknownSession(key, loss) : undefined);
}

// A hold may have been among what was lost.
function holdAll(facts: Map<string, SessionFacts>, loss: Loss): void {
  for (const [key, one] of facts) {
    if (one.closed === null && mayHaveLost(loss, key)) facts.set(key, { ...one, held: heldBy(loss) });
  }
}

function take(
  facts: Map<string, SessionFacts>,
  entry: LedgerEntry,
  body: JsonObject,
  loss: Loss | null,
): void {
  const { session, at, sequence } = entry;
  if (session === null || session.key === null) return;
  // What was started by an intent after the loss cannot have been there before it; what was adopted after it can.
  const isLater = loss !== null && entry.cause !== null && entry.cause > loss.sequence;
  const known = facts.get(session.key) ?? {
    ...unknownSession(session.key, isLater ? null : loss),
    ...namespaceOf(entry),
  };
  const change = changeBy(entry, body, known);
  facts.set(session.key, { ...known, name: session.name, ...change });
  const replaced = change.origin?.how === 'reopened' ? facts.get(textIn(body.reopens) ?? '') : undefined;
  if (replaced) facts.set(replaced.key, { ...replaced, reopened: { at, sequence, key: session.key } });
}

function offer(facts: Map<string, SessionFacts>, entry: LedgerEntry): void {
  const { at, sequence } = entry;
  for (const key of offeredBy(entry)) {
    const one = facts.get(key);
    if (one !== undefined) facts.set(key, { ...one, offered: one.offered ?? { at, sequence } });
  }
}

function unknownSession(key: string, loss: Loss | null): SessionFacts {
  const none = { origin: null, held: null, retained: null, completion: null };
  const held = mayHaveLost(loss, key) ? heldBy(loss) : null;
  return { key, name: '', claims: NO_CLAIMS, ...none, held, closing: null, closed: null, reopened: null };
}

function heldBy({ at, sequence }: Since): SessionFacts['held'] {
  return { at, sequence, reason: LOST_ENTRIES };
}
