import { heardConversation } from '../../core/agent/heard-conversation.ts';
import type { StartedBody } from '../../core/close/bodies.ts';
import { type ClosedSession, findReceipt } from '../../core/close/find-receipt.ts';
import { aboutEntry, type ReceiptSubject } from '../../core/close/receipt.ts';
import type { LedgerEntry } from '../../core/ledger/entry.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import { wordsOf } from '../../core/sight/start.ts';
import { lastLayout, ownAgentIn } from '../layouts/last-layout.ts';
import type { Hands } from './hands.ts';

type Told = Pick<Hands, 'agents' | 'hooks' | 'starts' | 'layouts' | 'ledger'>;

/**
 * What started a session, with the conversation that its agent was in. It may be another than the one that was chosen at the
 * start (`/clear`), so that the one which was last seen comes first, in its receipt or in its layout. Most agents choose it
 * only with their first prompt: where nobody looked, the agent's hooks still tell. They are forgotten after some days; then
 * it is the one that its command line took up again, where that names one.
 */
export function heardStart(hands: Told, closed: ClosedSession): LedgerEntry<StartedBody> | null {
  const { start } = closed;
  const { agent = null } = start?.body ?? {};
  if (start === null || agent?.kind == null) return start;
  const { kind } = agent;
  const conversation =
    receivedIn(closed) ??
    seenIn(hands, kind, closed) ??
    agent.conversation ??
    heardIn(hands, kind, start.body) ??
    resumedIn(hands, kind, start.body);
  return conversation === null
    ? start
    : { ...start, body: { ...start.body, agent: { ...agent, conversation } } };
}

// A session that was made from a receipt may have gone on in another conversation since.
function receivedIn({ facts, receipt }: ClosedSession): string | null {
  return receipt?.session?.key === facts.key ? (receipt.body.agent?.conversation ?? null) : null;
}

function seenIn(hands: Told, kind: string, { facts }: ClosedSession): string | null {
  const { layout, of } = lastLayout(hands, facts);
  const agent = layout && of === facts ? ownAgentIn(layout, facts) : null;
  return agent?.kind === kind ? (agent.conversation ?? null) : null;
}

/** A session that left no archive, for its receipt: its conversation with it. */
export function aboutGone(hands: Told, entry: SessionEntry): ReceiptSubject {
  const about = aboutEntry(entry);
  if (entry.agent?.conversation != null) return about;
  const found = findReceipt(hands.ledger.read({ about: entry.key }).entries, entry.key);
  const told = found.state === 'one' ? heardStart(hands, found.closed)?.body.agent : null;
  return told == null ? about : { ...about, agent: { ...about.agent, ...told } };
}

function heardIn({ agents, hooks, starts }: Told, kind: string, body: StartedBody): string | null {
  const own = agents.find((one) => one.kind === kind)?.hooks;
  const { server, paneId, createdAtSeconds } = body;
  const { socketPath, pid: serverPid } = server ?? {};
  if (!own || socketPath == null || paneId === null || serverPid == null || createdAtSeconds === null)
    return null;
  if (own.isFromPane?.(argvIn({ starts }, body)) === false) return null;
  const startedAt = createdAtSeconds * 1000;
  return heardConversation(hooks.about(kind), { socketPath, serverPid, paneId, startedAt });
}

function resumedIn(hands: Told, kind: string, body: StartedBody): string | null {
  return hands.agents.find((one) => one.kind === kind)?.gate?.resumes(argvIn(hands, body)) ?? null;
}

function argvIn({ starts }: Pick<Told, 'starts'>, { run, argv }: StartedBody): readonly string[] {
  const start = run === null ? null : starts.of(run);
  return start === null ? (argv ?? []) : wordsOf(start);
}
