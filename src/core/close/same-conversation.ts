import type { LedgerEntry } from '../ledger/entry.ts';
import { isGone, type SessionEntry } from '../sight/roll.ts';
import type { Activity } from '../verdict/verdict.ts';
import { readStarted } from './bodies.ts';

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
