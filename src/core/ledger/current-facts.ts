import { endIn, type ProgramEnd } from '../ended.ts';
import { gatesAfter, type OpenGate } from '../gate/open-gates.ts';
import type { RecordedSession, SessionIdentity } from '../identity.ts';
import { type LedgerEntry, namespaceOf } from './entry.ts';
import type { Json, JsonObject } from './json.ts';
import { numberIn, objectIn, textIn, textsIn } from './json-values.ts';
import { LOST_ENTRIES, type Loss, lossAfter, lossBy, mayHaveLost } from './loss.ts';
import { isPartial } from './partial.ts';

/** What a session works on and for whom. Recorded and shown; a close releases none of it. */
export const CLAIMS = ['task', 'role', 'owner', 'branch', 'worktree', 'pr'] as const;

export type Claims = { readonly [C in (typeof CLAIMS)[number]]: string | null };

/** When something became a fact, and by which entry. */
interface Since {
  readonly at: number;
  readonly sequence: number;
}

/**
 * What the ledger says about one generation of a session. Its pid namespace is that of whoever first spoke of it, or took
 * it into care: both saw it.
 */
export interface SessionFacts extends RecordedSession {
  /** The last one that was recorded. */
  readonly name: string;
  /** How it came under rollcall's care. */
  readonly origin: Origin | null;
  readonly held: (Since & { readonly reason: string | null }) | null;
  readonly retained: (Since & Kept & { readonly reason: string | null }) | null;
  readonly claims: Claims;
  readonly completion: (Since & Awake & { readonly outcome: string; readonly body: JsonObject }) | null;
  /** The close that is on its way, or was when its actor stopped; `sequence` is its intent. */
  readonly closing: (Since & { readonly actor: ClosingActor; readonly place?: SessionIdentity }) | null;
  readonly closed: (Since & Closed) | null;
  /** Another session took its place; `key` is that of the new one. */
  readonly reopened: (Since & { readonly key: string }) | null;
  /** Pieces of work that somebody wants finished, the oldest first; absent where there never was one. */
  readonly gates?: readonly OpenGate[];
  /** How the program that rollcall started ended, with its last few lines; absent as long as that is not recorded. */
  readonly ended?: Since & ProgramEnd;
  /** When somebody last counted on it: held, kept or claimed it, or gave it work to finish. */
  readonly wantedAt?: number;
  /** The ids of the panes that it showed when it was adopted, held or kept; its server gives none of them twice. */
  readonly paneIds?: readonly string[];
}

/** A close, by its receipt. */
interface Closed {
  readonly receipt: string;
  /** What came of it, why it was closed, and where it was; each only where the receipt tells. */
  readonly result?: string;
  readonly reason?: string;
  readonly place?: SessionIdentity;
}

/** Who closes: a process of one boot and one pid namespace. */
interface ClosingActor {
  readonly pid: number;
  readonly bootId: string;
  readonly pidNamespace?: string;
}

/** The awake clock when it was said: what lasts from then on is counted on it. Absent in what earlier versions recorded. */
interface Awake {
  readonly awakeMs?: number;
}

/** How long a session is kept. `until` alone is a date; null: for as long as nobody says otherwise. */
export interface Kept extends Awake {
  readonly until: number | null;
  /** A duration: `until` is when it ends if nobody steps the clock. */
  readonly forMs?: number;
}

/** How a session came under rollcall's care, and where it was then. */
interface Origin extends Since {
  readonly how: 'started' | 'adopted' | 'reopened';
  /** Null where the entry does not tell. */
  readonly place: SessionIdentity | null;
  /** The run that started it; absent of an adopted one. */
  readonly run?: string;
  /** The pane that it was started with; absent of an adopted one, and where the entry does not tell. */
  readonly pane?: OwnPane;
}

/** A pane that rollcall started, with the process that it began with: whoever runs another program in it makes it theirs. */
export interface OwnPane {
  readonly paneId: string;
  readonly pid: number;
}

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

/** The name of a receipt: what its author gave it, else its place and the beginning of its hash. */
export function receiptName({ body, sequence, hash }: LedgerEntry): string {
  return textIn(body.receipt) ?? `${sequence}-${hash.slice(0, 8)}`;
}

function unknownSession(key: string, loss: Loss | null): SessionFacts {
  const none = { origin: null, held: null, retained: null, completion: null };
  const held = mayHaveLost(loss, key) ? heldBy(loss) : null;
  return { key, name: '', claims: NO_CLAIMS, ...none, held, closing: null, closed: null, reopened: null };
}

function heldBy({ at, sequence }: Since): SessionFacts['held'] {
  return { at, sequence, reason: LOST_ENTRIES };
}

type Change = Partial<SessionFacts>;

function changeBy(entry: LedgerEntry, whole: JsonObject, known: SessionFacts): Change {
  const { kind, action, sequence, at, body, bootId } = entry;
  if (kind === 'intent') {
    const actor = { pid: entry.actor.pid, bootId, ...namespaceOf(entry) };
    const place = placeIn(body);
    return action === 'close' ? { closing: { at, sequence, actor, ...(place && { place }) } } : {};
  }
  if (kind === 'receipt') {
    const isClosed = action === 'close' && !isPartial(entry);
    return isClosed ? { closed: { at, sequence, ...closedBy(entry) } } : {};
  }
  const isEffective = kind === 'declared' || (kind === 'outcome' && body.result === 'done');
  const effect = isEffective ? effectOf(entry, whole, known) : {};
  // Whatever came of it, a close with an outcome is no longer on its way.
  const isCloseOver = kind === 'outcome' && action === 'close';
  return isCloseOver ? { ...effect, closing: null } : effect;
}

function effectOf(entry: LedgerEntry, body: JsonObject, known: SessionFacts): Change {
  const { action, at, sequence } = entry;
  const since = { at, sequence };
  const claims = claimsIn(body.claims, known.claims);
  const run = textIn(body.run);
  const from = { place: placeIn(body), ...(run !== null && { run }) };
  switch (action) {
    case 'run':
      return {
        origin: { ...since, how: 'started', ...from, ...paneIn(body) },
        claims,
        ...namespaceOf(entry),
      };
    case 'adopt':
      return {
        origin: { ...since, how: 'adopted', ...from },
        claims,
        ...namespaceOf(entry),
        ...shownBy(body, known),
      };
    case 'reopen':
      return {
        origin: { ...since, how: 'reopened', ...from, ...paneIn(body) },
        claims,
        ...namespaceOf(entry),
      };
    case 'end':
      return endedBy(since, body);
    case 'claim':
      return { claims, wantedAt: at };
    case 'hold':
      return { held: { ...since, reason: textIn(body.reason) }, wantedAt: at, ...shownBy(body, known) };
    case 'unhold':
      return { held: null };
    case 'retain':
      return {
        retained: { ...since, ...keptIn(body), reason: textIn(body.reason) },
        ...(body.released !== true && { wantedAt: at }),
        ...shownBy(body, known),
      };
    case 'complete':
      return {
        completion: { ...since, ...awakeIn(body), outcome: textIn(body.outcome) ?? 'done', body },
        claims,
      };
    case 'cancel':
      return { completion: null };
    case 'gate-start':
      return { gates: gatesAfter(known.gates ?? [], entry), wantedAt: at };
    case 'gate-stop':
    case 'gate-end':
      return { gates: gatesAfter(known.gates ?? [], entry) };
    default:
      return {};
  }
}

// What was declared of a pane that was moved out since still holds for it.
function shownBy({ paneIds }: JsonObject, known: SessionFacts): Pick<Change, 'paneIds'> {
  const shown = textsIn(paneIds);
  return shown.length === 0 ? {} : { paneIds: [...new Set([...(known.paneIds ?? []), ...shown])] };
}

/** Lines of an end that are known without the ledger. */
const LINES_KNOWN = 5;

function endedBy(since: Since, body: JsonObject): Change {
  const end = endIn(body);
  return end === null ? {} : { ended: { ...since, ...end, lines: end.lines.slice(-LINES_KNOWN) } };
}

function closedBy(entry: LedgerEntry): Closed {
  const { body } = entry;
  const [result, reason] = [textIn(body.result), textIn(body.reason)];
  const { server = null, sessionId = null, createdAt } = objectIn(body.session) ?? {};
  const createdAtSeconds = Math.round((numberIn(createdAt) ?? 0) / 1000);
  const place = placeIn({ server, sessionId, createdAtSeconds });
  return {
    receipt: receiptName(entry),
    ...(result !== null && { result }),
    ...(reason !== null && { reason }),
    ...(place !== null && { place }),
  };
}

function keptIn(body: JsonObject): Kept {
  const forMs = numberIn(body.forMs);
  return { until: numberIn(body.until), ...awakeIn(body), ...(forMs !== null && { forMs }) };
}

function awakeIn(body: JsonObject): Awake {
  const awakeMs = numberIn(body.awakeMs);
  return awakeMs === null ? {} : { awakeMs };
}

/** Claims that are not spoken of stay; null takes one back. */
function claimsIn(spoken: Json | undefined, known: Claims): Claims {
  const said = objectIn(spoken);
  if (said === null) return known;
  const changes = CLAIMS.filter((claim) => said[claim] !== undefined).map((claim) => [
    claim,
    textIn(said[claim]),
  ]);
  return { ...known, ...Object.fromEntries(changes) };
}

function paneIn({ paneId, pid }: JsonObject): { readonly pane?: OwnPane } {
  return typeof paneId === 'string' && typeof pid === 'number' ? { pane: { paneId, pid } } : {};
}

function placeIn({ server, sessionId, createdAtSeconds }: JsonObject): SessionIdentity | null {
  const { socketPath, pid, startTicks } = objectIn(server) ?? {};
  const isWhole =
    typeof socketPath === 'string' &&
    typeof pid === 'number' &&
    typeof startTicks === 'number' &&
    typeof sessionId === 'string' &&
    typeof createdAtSeconds === 'number';
  return isWhole ? { server: { socketPath, pid, startTicks }, sessionId, createdAtSeconds } : null;
}
