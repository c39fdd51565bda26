import type { HookMemory } from './hook-memory.ts';

/** A pane that was started, by what hooks tell of theirs. */
export interface StartedPane {
  readonly socketPath: string;
  readonly serverPid: number;
  readonly paneId: string;
  readonly startedAt: number;
}

/**
 * The conversation that an agent was in, by the hooks that it sent from its pane; null where none tells, or two programs
 * spoke from there. One without a prompt is none: agents keep nothing of it.
 */
export function heardConversation(memories: readonly HookMemory[], pane: StartedPane): string | null {
  const own = memories.filter((one) => one.beganAt !== undefined && isFrom(one, pane));
  const [newest] = own.toSorted((a, b) => b.last.at - a.last.at);
  if (newest === undefined || own.some((one) => !isSameSender(one, newest))) return null;
  // What a turn started by itself, such as a subagent, began later than the turn.
  const [running] = own
    .filter(({ turn }) => turn?.value === 'running')
    .toSorted((a, b) => (a.beganAt as number) - (b.beganAt as number));
  return (running ?? newest).conversation;
}

// A server gives no pane id twice; its own number may be another server's after a boot.
function isFrom({ conversation, sender, last }: HookMemory, pane: StartedPane): boolean {
  const isPane = sender.paneId === pane.paneId && sender.tmuxServerPid === pane.serverPid;
  return (
    conversation !== null && isPane && sender.tmuxSocket === pane.socketPath && last.at >= pane.startedAt
  );
}

function isSameSender({ sender }: HookMemory, { sender: other }: HookMemory): boolean {
  return sender.agentPid === undefined
    ? sender.parentPid === other.parentPid
    : sender.agentPid === other.agentPid;
}
