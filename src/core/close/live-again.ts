import type { LedgerEntry } from '../ledger/entry.ts';
import { paneIn } from '../memory/moved.ts';
import { isGone, isUnheard, type SessionEntry } from '../sight/roll.ts';
import { GOES_ON_ELSEWHERE } from './same-conversation.ts';
import { successorsIn } from './successors.ts';

/** What is to be made again. */
export interface Sought {
  readonly key: string;
  readonly receipt: string | null;
  /** Its close ended the agent and not the session. */
  readonly isPartial: boolean;
  readonly conversation: string | null;
}

/** Why a session must not be made again; null when it may: it lives, was reopened, or its conversation goes on elsewhere. */
export function livesAgain(
  { key, receipt, isPartial, conversation }: Sought,
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
