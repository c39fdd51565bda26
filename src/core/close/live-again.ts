import { receiptName } from '../ledger/current-facts.ts';
import type { LedgerEntry } from '../ledger/entry.ts';
import { type PlacedPane, paneIn } from '../memory/moved.ts';
import { isGone, isUnheard, type SessionEntry } from '../sight/roll.ts';
import type { Activity } from '../verdict/verdict.ts';
import { readStarted, type StartedBody } from './bodies.ts';

/** What is to be made again. */
export interface SoughtAgain {
  readonly key: string;
  readonly receipt: string | null;
  /** Its close ended the agent and not the session. */
  readonly isPartial: boolean;
  readonly conversation: string | null;
}

/** Why a session must not be made again; null when it may: it lives, was reopened, or its conversation goes on elsewhere. */
export function livesAgain(
  { key, receipt, isPartial, conversation }: SoughtAgain,
  sessions: readonly SessionEntry[],
  entries: readonly LedgerEntry[],
): { readonly entry: SessionEntry; readonly text: string } | null {
  const alive = sessions.filter((entry) => !isGone(entry));
  const itself = alive.find((entry) => entry.key === key);
  if (itself !== undefined) {
    if (!isPartial) return { entry: itself, text: 'it is still there' };
    if (isUnheard(itself))
      return { entry: itself, text: 'its tmux server does not answer, so its agent may still run there' };
    if (mayRun(itself, conversation))
      return { entry: itself, text: 'it stands, and its agent may run in it' };
  }
  const successors = successorsIn({ key, receipt, isPartial }, entries);
  const successor = alive.find((entry) => successors.keys.has(entry.key));
  if (successor !== undefined) return { entry: successor, text: 'it was reopened before' };
  for (const pane of successors.panes) {
    const moved = paneIn(pane, alive);
    if (moved !== null) return { ...moved, text: `it was reopened before, and ${moved.text}` };
  }
  const other = alive.find(
    (entry) => entry !== itself && conversation !== null && holds(entry, conversation),
  );
  return other ? { entry: other, text: GOES_ON_ELSEWHERE } : null;
}

function holds({ agent, evidence }: SessionEntry, conversation: string): boolean {
  const isLive = agent?.conversation === conversation && agent.pid !== null;
  return isLive || evidence.some((one) => one.kind === 'agent' && one.conversation === conversation);
}

// The session that it was ended in still tells of it; what counts is whether an agent runs there, and not another one.
function mayRun({ panes, evidence }: SessionEntry, conversation: string | null): boolean {
  return panes.some(({ paneId, isDead }) => {
    const own = evidence.filter((one) => 'paneId' in one && one.paneId === paneId);
    const seen = own.find((one) => one.kind === 'processes');
    if (seen === undefined) return !isDead;
    if (!seen.processes.some(({ role }) => role === 'agent')) return false;
    const told = own.flatMap((one) => (one.kind === 'agent' ? (one.conversation ?? []) : []));
    return told.length === 0 || conversation === null || told.includes(conversation);
  });
}

/**
 * Everything that was reopened from a session, and from that again. The entries have to tell of each session before they tell
 * what was made from it. `panes`: those that they were started with, also of one that was moved before its session was known.
 */
export function successorsIn(
  { key, receipt, isPartial }: Omit<SoughtAgain, 'conversation'>,
  entries: readonly LedgerEntry[],
) {
  const keys = new Set<string>();
  const panes: PlacedPane[] = [];
  const receipts = new Set([receipt]);
  // What took the place of the session need not have the agent that was ended before.
  const isFrom = ({ reopens, receipt: from }: StartedBody) =>
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

function placedIn({ server, paneId, pid }: StartedBody): PlacedPane[] {
  if (server?.pid == null || server.startTicks === null || paneId === null || pid === null) return [];
  return [{ server: { pid: server.pid, startTicks: server.startTicks }, paneId, pid }];
}

/** One conversation of one kind of agent. Two agents on it would write over each other. */
export interface Conversation {
  readonly kind: string;
  readonly conversation: string;
}

/** Why a session is not made again whose conversation lives in another. */
export const GOES_ON_ELSEWHERE = 'its conversation goes on in another session';

/** No agent runs in it. */
const AGENTLESS: ReadonlySet<Activity> = new Set(['asleep', 'exited', 'none']);

/** Whether a session may have any conversation: an agent that has just been started has not said which. */
export function mayHaveAny(entry: SessionEntry): boolean {
  const { activity, agent } = entry;
  const isThere = !isGone(entry) && !AGENTLESS.has(activity);
  return isThere && (agent?.conversation ?? null) === null;
}

/** The session that rollcall started on a conversation, as long as it does not say itself what it talks about. */
export function startedOn(
  sought: Conversation,
  sessions: readonly SessionEntry[],
  entries: readonly LedgerEntry[],
): SessionEntry | null {
  const intents = new Set(
    entries.filter((entry) => isStartOn(sought, entry)).map(({ sequence }) => sequence),
  );
  const keys = new Set(
    entries.flatMap(({ kind, cause, body, session }) => {
      const isDone = kind === 'outcome' && body.result === 'done' && cause !== null && intents.has(cause);
      return isDone ? (session?.key ?? []) : [];
    }),
  );
  return sessions.find((entry) => keys.has(entry.key) && mayHaveAny(entry)) ?? null;
}

/** Whether an entry is the intent to start an agent on a conversation. */
export function isStartOn(sought: Conversation, { kind, action, body }: LedgerEntry): boolean {
  if (kind !== 'intent' || (action !== 'run' && action !== 'reopen' && action !== 'wake')) return false;
  const { agent } = readStarted(body);
  return agent?.kind === sought.kind && agent.conversation === sought.conversation;
}
