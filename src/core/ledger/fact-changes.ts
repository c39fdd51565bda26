import { gatesAfter } from '../gate/open-gates.ts';
import { endIn } from '../memory/ended.ts';
import type { SessionIdentity } from '../sight/identity.ts';
import { asleepBy, sleepsOn } from '../sleep/asleep.ts';
import { isPartial, type LedgerEntry, namespaceOf } from './entry.ts';
import { type Json, type JsonObject, numberIn, objectIn, textIn, textsIn } from './json.ts';
import { SESSION_MISSING } from './restore-notes.ts';
import {
  type Awake,
  CLAIMS,
  type Claims,
  type Closed,
  type KeptUntil,
  type OwnPane,
  type SessionFacts,
  type Since,
} from './session-facts.ts';

type Change = Partial<SessionFacts>;

/** What one entry changes about its session; `whole` is what intent and outcome say together. */
export function changeBy(entry: LedgerEntry, whole: JsonObject, known: SessionFacts): Change {
  const { kind, action, sequence, at, body, bootId } = entry;
  if (kind === 'intent') {
    const actor = { pid: entry.actor.pid, bootId, ...namespaceOf(entry) };
    const place = placeIn(body);
    const isSleep = action === 'hibernate' && { isSleep: true as const };
    return ENDINGS.has(action)
      ? { closing: { at, sequence, actor, ...(place && { place }), ...isSleep } }
      : {};
  }
  if (kind === 'receipt') return isPartial(entry) ? {} : receivedBy(entry);
  if (kind === 'note')
    return action === SESSION_MISSING ? { missing: known.missing ?? { at, sequence } } : {};
  const isEffective = kind === 'declared' || (kind === 'outcome' && body.result === 'done');
  const effect = isEffective ? effectOf(entry, whole, known) : {};
  if (kind !== 'outcome') return effect;
  const asleep = action === 'wake' && !isEffective ? sleepsOn(known.asleep, entry) : null;
  // Whatever came of it, a close with an outcome is no longer on its way.
  return { ...effect, ...(asleep && { asleep }), ...(ENDINGS.has(action) && { closing: null }) };
}

/** What ends the agents of a session. */
const ENDINGS: ReadonlySet<string> = new Set(['close', 'hibernate']);

function receivedBy(entry: LedgerEntry): Change {
  const { action, at, sequence } = entry;
  if (action === 'close') return { closed: { at, sequence, ...closedBy(entry) }, asleep: undefined };
  const asleep = action === 'hibernate' ? asleepBy(entry) : null;
  // Whoever puts a session to sleep has not given it into care: nothing closes it by itself.
  return asleep === null ? {} : { asleep };
}

function effectOf(entry: LedgerEntry, body: JsonObject, known: SessionFacts): Change {
  const { action, at, sequence } = entry;
  const since = { at, sequence };
  const claims = claimsIn(body.claims, known.claims);
  const run = textIn(body.run);
  const from = { place: placeIn(body), ...(run !== null && { run }) };
  const care = { claims, ...namespaceOf(entry) };
  switch (action) {
    case 'run': {
      const origin = { ...since, how: 'started', ...from, ...paneIn(body) } as const;
      // Somebody may have removed what nobody saw: whoever recorded it was told, and it does not come back by itself.
      return { origin, ...care, ...(body.isUnseen === true && { offered: since }) };
    }
    case 'adopt':
      return { origin: { ...since, how: 'adopted', ...from }, ...care, ...shownBy(body, known) };
    case 'reopen': {
      const origin = { ...since, how: 'reopened', ...from, ...paneIn(body) } as const;
      return { origin, ...care, ...broughtBy(since, body) };
    }
    case 'wake':
      return { asleep: undefined, ...wokenBy(known, { ...from, ...paneIn(body) }) };
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

// What held for the session that it takes the place of, in one entry with that: nobody finds it there without.
function broughtBy(since: Since, body: JsonObject): Pick<Change, 'held' | 'retained'> {
  const [held, retained] = [objectIn(body.held), objectIn(body.retained)];
  return {
    ...(held && { held: { ...since, reason: textIn(held.reason) } }),
    ...(retained && { retained: { ...since, ...keptIn(retained), reason: textIn(retained.reason) } }),
  };
}

// From then on its program is what was woken.
function wokenBy({ origin, asleep }: SessionFacts, program: Partial<NonNullable<Change['origin']>>): Change {
  const sleeper = asleep && { sleeper: asleep.pid };
  return origin === null ? {} : { origin: { ...origin, ...program, ...sleeper } };
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

/** The name of a receipt: what its author gave it, else its place and the beginning of its hash. */
export function receiptName({ body, sequence, hash }: LedgerEntry): string {
  return textIn(body.receipt) ?? `${sequence}-${hash.slice(0, 8)}`;
}

function closedBy(entry: LedgerEntry): Closed {
  const { body } = entry;
  const [result, reason] = [textIn(body.result), textIn(body.reason)];
  const place = placeOf(body);
  return {
    receipt: receiptName(entry),
    ...(result !== null && { result }),
    ...(reason !== null && { reason }),
    ...(place !== null && { place }),
  };
}

/** Where the session of a receipt was. */
function placeOf({ session }: JsonObject): SessionIdentity | null {
  const { server = null, sessionId = null, createdAt } = objectIn(session) ?? {};
  const createdAtSeconds = Math.round((numberIn(createdAt) ?? 0) / 1000);
  return placeIn({ server, sessionId, createdAtSeconds });
}

function keptIn(body: JsonObject): KeptUntil {
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
