import { currentFacts, receiptName, type SessionFacts } from '../ledger/current-facts.ts';
import { entriesAbout } from '../ledger/entries-about.ts';
import { isPartial, type LedgerEntry } from '../ledger/entry.ts';
import { type Received, readReceived, readStarted, type StartedBody } from './bodies.ts';

/** A session that was under care, and from what it can be made again. */
export interface ClosedSession {
  readonly facts: SessionFacts;
  /** The receipt of its close, or of one that stopped after it had ended an agent; null for one that was lost. */
  readonly receipt: LedgerEntry<Received> | null;
  /** What started it, where rollcall did: the intent and what came of it together. */
  readonly start: LedgerEntry<StartedBody> | null;
}

export type FoundReceipt =
  | { readonly state: 'one'; readonly closed: ClosedSession }
  | { readonly state: 'several'; readonly closed: readonly ClosedSession[] }
  | { readonly state: 'none' };

/**
 * What a word names: the receipt of that name, or the sessions with that name, `$id` or key, a name also behind `LABEL:`
 * or `SOCKETPATH:`. Of several generations of a session that had the same name on the same server, the newest is meant.
 */
export function findReceipt(entries: readonly LedgerEntry[], word: string): FoundReceipt {
  const all = closedSessions(entries);
  const exact = entries.findLast((entry) => isReceipt(entry) && receiptName(entry) === word);
  const of = exact && all.find(({ facts }) => facts.key === exact.session?.key);
  if (exact && of) return { state: 'one', closed: { ...of, receipt: withReceived(exact) } };
  const keys = new Set(entriesAbout(entries, word).flatMap(({ session }) => session?.key ?? []));
  const named = all.filter(({ facts }) => keys.has(facts.key));
  const [first, ...others] = newestOnEach(named.length > 0 ? named : all.filter((one) => isAt(one, word)));
  if (first === undefined) return { state: 'none' };
  return others.length === 0
    ? { state: 'one', closed: first }
    : { state: 'several', closed: [first, ...others] };
}

/** Everything that was closed, or that rollcall started and may be lost, in the order of the ledger. */
function closedSessions(entries: readonly LedgerEntry[]): ClosedSession[] {
  const intents = new Map(
    entries.flatMap((entry) => (entry.kind === 'intent' ? [[entry.sequence, entry]] : [])),
  );
  return [...currentFacts(entries).values()].flatMap((facts) => {
    const own = entries.filter(({ session }) => session?.key === facts.key);
    const wokenAt = own.findLast((one) => one.action === 'wake' && isStart(one))?.sequence ?? 0;
    // What was said in the conversation since it was woken is in no earlier archive.
    const receipts = own.filter((one) => isReceipt(one) && one.sequence > wokenAt);
    // One that was lost after such a close has nothing else to be made from.
    const kept = receipts.findLast(({ body }) => typeof body.archive === 'string') ?? receipts.at(-1);
    const receipt = kept === undefined ? null : withReceived(kept);
    const outcome = own.findLast(isStart);
    const start = startOf(outcome, intents.get(outcome?.cause ?? 0));
    // One that was reopened and is lost is found by what it was reopened from.
    return receipt === null && (start === null || start.action === 'reopen')
      ? []
      : [{ facts, receipt, start }];
  });
}

/**
 * A session that was lost, and from what it can be made again. One that was reopened has the receipt that it was made from;
 * one that was adopted has neither.
 */
export function lostSession(facts: SessionFacts, entries: readonly LedgerEntry[]): ClosedSession {
  const own = closedSessions(entries).find((one) => one.facts.key === facts.key);
  if (own !== undefined) return { ...own, facts };
  const outcome = entries.findLast((one) => isStart(one) && one.session?.key === facts.key);
  const intent = outcome && entries.find(({ sequence }) => sequence === outcome.cause);
  const start = startOf(outcome, intent);
  if (start === null) return { facts, receipt: null, start };
  const from = start.body.receipt;
  const receipt = entries.findLast((one) => isReceipt(one) && receiptName(one) === from);
  return { facts, receipt: receipt && !isPartial(receipt) ? withReceived(receipt) : null, start };
}

function withReceived(receipt: LedgerEntry): LedgerEntry<Received> {
  return { ...receipt, body: readReceived(receipt.body) };
}

function startOf(
  outcome: LedgerEntry | undefined,
  intent: LedgerEntry | undefined,
): LedgerEntry<StartedBody> | null {
  return outcome && intent ? { ...intent, body: readStarted({ ...intent.body, ...outcome.body }) } : null;
}

/** What makes a session, or starts its agent anew: all record with what it was started. */
const STARTS: ReadonlySet<string> = new Set(['run', 'reopen', 'wake']);

function isStart({ kind, action, body }: LedgerEntry): boolean {
  return kind === 'outcome' && STARTS.has(action) && (action !== 'wake' || body.result === 'done');
}

function isReceipt({ kind, action }: LedgerEntry): boolean {
  return kind === 'receipt' && (action === 'close' || action === 'hibernate');
}

// A name on another server is another session. A server that ended with its last session, and was started again for the
// next one, is still the same to whoever named it: what counts is the socket.
function newestOnEach(found: readonly ClosedSession[]): ClosedSession[] {
  const newest = new Map<string, ClosedSession>();
  for (const one of found) {
    const place = `${serverOf(one)} ${one.facts.name}`;
    newest.delete(place);
    newest.set(place, one);
  }
  return [...newest.values()];
}

function serverOf(closed: ClosedSession): string {
  const { key } = closed.facts;
  const socketPath = socketPathOf(closed);
  const [host] = key.split('.', 1);
  return socketPath === undefined ? key.replace(/\.s\d+\.\d+$/, '') : `${host} ${socketPath}`;
}

function socketPathOf({ facts, receipt }: ClosedSession): string | undefined {
  return receipt?.body.session?.server?.socketPath ?? facts.origin?.place?.server.socketPath;
}

// Compared from the known side: labels and paths may hold colons themselves.
function isAt(closed: ClosedSession, word: string): boolean {
  const socketPath = socketPathOf(closed);
  if (socketPath === undefined) return false;
  const label = socketPath.slice(socketPath.lastIndexOf('/') + 1);
  return [label, socketPath].some((server) => word === `${server}:${closed.facts.name}`);
}
