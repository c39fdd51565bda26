import { receiptName } from '../ledger/current-facts.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import type { PlacedPane } from '../memory/moved.ts';
import { readStarted, type Started } from './bodies.ts';

/** Everything that was reopened from a session, and from that again. */
export interface Successors {
  readonly keys: ReadonlySet<string>;
  /** The panes that they were started with, also of one that was moved before its session was known. */
  readonly panes: readonly PlacedPane[];
}

/** Whose successors are meant. */
interface Ancestor {
  readonly key: string;
  readonly receipt: string | null;
  /** Its close ended the agent and not the session. */
  readonly isPartial: boolean;
}

/** Follows reopenings to their end. The entries have to tell of each session before they tell what was made from it. */
export function successorsIn(
  { key, receipt, isPartial }: Ancestor,
  entries: readonly LedgerEntry[],
): Successors {
  const keys = new Set<string>();
  const panes: PlacedPane[] = [];
  const receipts = new Set([receipt]);
  // What took the place of the session need not have the agent that was ended before.
  const isFrom = ({ reopens, receipt: from }: Started) =>
    (!isPartial && reopens === key) || keys.has(reopens ?? '') || (from !== null && receipts.has(from));
  for (const entry of entries) {
    const { body, session } = entry;
    if (isReceiptOf(keys, entry)) receipts.add(receiptName(entry));
    if (!isStart(entry)) continue;
    const started = readStarted(body);
    if (!isFrom(started)) continue;
    if (session?.key && body.result === 'done') keys.add(session.key);
    panes.push(...placedIn(started));
  }
  return { keys, panes };
}

function isReceiptOf(keys: ReadonlySet<string>, { kind, session }: LedgerEntry): boolean {
  return kind === 'receipt' && keys.has(session?.key ?? '');
}

function isStart({ kind, action, body }: LedgerEntry): boolean {
  return kind === 'outcome' && action === 'reopen' && (body.result === 'done' || body.result === 'moved');
}

function placedIn({ server, paneId, pid }: Started): PlacedPane[] {
  if (server?.pid == null || server.startTicks === null || paneId === null || pid === null) return [];
  return [{ server: { pid: server.pid, startTicks: server.startTicks }, paneId, pid }];
}
