import {
  type Conversation,
  GOES_ON_ELSEWHERE,
  isStartOn,
  mayHaveAny,
  startedOn,
} from '../../../core/close/live-again.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { LockSubject } from '../../../core/lock/subject.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import type { LockOutcome } from '../../../ports/lock.ts';
import { WRITER_TIMEOUT_MS } from '../deed.ts';
import { awake, type Hands } from '../hands.ts';
import type { ReopenOrder, ReopenResult } from './order.ts';

const ASK_EVERY_MS = 50;

/** The lock of one conversation: whoever holds it is the only one who starts an agent on it. */
function conversationLock({ kind, conversation }: Conversation): LockSubject {
  return { name: 'conversation', project: `${kind}:${conversation}` };
}

/**
 * Starts an agent while nobody else starts one with the same conversation. Several receipts may have it, each with a
 * session's lock of its own, so that only this one makes what is seen of the conversation hold until the agent is there.
 */
export async function aloneOnConversation<R>(
  hands: Hands,
  { argv }: Pick<ReopenOrder, 'argv'>,
  { agent }: Pick<Reopening, 'agent'>,
  start: () => Promise<R>,
): Promise<R | Extract<ReopenResult, { state: 'busy' | 'failed' }>> {
  const sought = conversationOf(agent);
  if (sought === null) return start();
  const taken = await waitFor(hands, conversationLock(sought), argv);
  if (taken.state === 'busy') return taken;
  if (taken.state === 'failed') return { state: 'failed', text: taken.text, hint: taken.hint };
  try {
    return await start();
  } finally {
    taken.hold.release();
  }
}

/**
 * Why no agent may be started on the conversation, by what rollcall itself has started; null where nothing speaks against
 * it. Only for whoever is alone on it: then whatever is still open, but for its own intent, was left behind.
 */
export function startedBefore(
  hands: Hands,
  { agent }: Reopening,
  { sessions, own }: { readonly sessions: readonly SessionEntry[]; readonly own?: number | undefined },
): ReopenResult | null {
  const sought = conversationOf(agent);
  if (sought === null) return null;
  const { facts, openIntents } = hands.ledger.facts().folded;
  const open = [...openIntents.values()].find(
    (intent) => intent.sequence !== own && isStartOn(sought, intent),
  );
  if (open !== undefined) return undecided(open.sequence);
  const started = sessions.filter((entry) => {
    const how = facts.get(entry.key)?.origin?.how;
    return mayHaveAny(entry) && (how === 'started' || how === 'reopened');
  });
  const entries = started.flatMap(({ key }) => hands.ledger.read({ about: key }).entries);
  const entry = startedOn(sought, started, entries);
  return entry && { state: 'lives', entry, text: GOES_ON_ELSEWHERE };
}

function undecided(sequence: number): ReopenResult {
  const text = `an agent was to be started on its conversation, and what came of that is not known (entry ${sequence})`;
  const hint = 'the next rollcall command finds out and records it; then try again';
  return { state: 'failed', text, hint };
}

function conversationOf(agent: Reopening['agent']): Conversation | null {
  const conversation = agent?.conversation ?? null;
  return agent === null || conversation === null ? null : { kind: agent.kind, conversation };
}

// Whoever has it is done in a moment, and then it is plain whether the conversation lives.
async function waitFor(hands: Hands, lock: LockSubject, argv: readonly string[]): Promise<LockOutcome> {
  const endsAt = awake(hands) + WRITER_TIMEOUT_MS;
  for (;;) {
    const taken = hands.locks.tryLock(lock, { task: 'reopen', argv });
    if (taken.state !== 'busy' || awake(hands) >= endsAt) return taken;
    await hands.wait(ASK_EVERY_MS);
  }
}
