import type { HookMemory } from '../../../src/core/agent/hook-memory.ts';
import type { AgentSign } from '../../../src/core/agent/sign.ts';
import type { AgentScene } from '../../../src/ports/agent.ts';
import type { SimAgent } from '../machine/agent.ts';
import type { Conversation } from '../machine/agent-kinds.ts';
import { readAgentScreen } from '../machine/agent-screen.ts';

/** What the own status of an agent tells: everything but what stands in its input box. */
export function statusSign({ word }: SimAgent, now: number): AgentSign {
  const { turn, dialog, background, sinceAt } = word;
  return {
    ...{ source: 'agent', observedAt: now, isLive: true, since: sinceAt, isVerified: true },
    ...{ turn, waitingFor: dialog, background, text: `its status is ${dialog ?? turn}` },
  };
}

/** What its hooks told since it began; null where they told nothing. */
export function hookSign(memory: HookMemory | undefined, now: number): AgentSign | null {
  if (memory === undefined) return null;
  const { turn, waitingFor, background, beganAt } = memory;
  const times = [turn, waitingFor, background].flatMap((heard) => heard?.at ?? []);
  if (times.length === 0) return null;
  // That nothing runs in the background holds only if the end of the last turn said so.
  const isOfTheEnd = background !== undefined && turn?.value === 'over' && background.at >= turn.at;
  const isTold = background !== undefined && (background.value > 0 || isOfTheEnd);
  return {
    ...{ source: 'hook', observedAt: now, isLive: false, since: Math.max(...times), isVerified: true },
    ...(turn && { turn: turn.value }),
    ...(beganAt !== undefined && { beganAt }),
    ...(waitingFor && { waitingFor: waitingFor.value }),
    ...(isTold && { background: background.value }),
    text: `its hook ${memory.last.event} was the last to tell`,
  };
}

/** The memory of this very process: conversation, pane, process and time must all fit. */
export function memoryOf(scene: AgentScene, conversation: string | null): HookMemory | undefined {
  return scene.hooks.find(({ endedAt, last, sender, ...memory }) => {
    if (endedAt !== undefined || last.at < scene.agent.startedAt - START_TOLERANCE_MS) return false;
    return memory.conversation === conversation && sender.agentPid === scene.agent.pid;
  });
}

const START_TOLERANCE_MS = 1000;

/** What the last record of its conversation tells. */
export function transcriptSign(conversation: Conversation | null, now: number): AgentSign | null {
  const last = conversation?.isThere ? conversation.turns.at(-1) : undefined;
  if (last === undefined) return null;
  const turn = last.isOver ? 'over' : 'running';
  return {
    ...{ source: 'transcript', observedAt: now, isLive: false, since: last.at, isVerified: true, turn },
    text: `its last record: a turn that ${last.isOver ? 'is over' : 'runs'}`,
  };
}

/** What a title tells: work and dialogs, and never that nothing else is going on. */
export function titleSign(title: string, now: number): AgentSign | null {
  const [mark] = title;
  if (mark !== '*' && mark !== '-') return null;
  const turn = mark === '*' ? 'running' : 'over';
  return {
    source: 'title',
    observedAt: now,
    isLive: true,
    isVerified: true,
    turn,
    text: `its title: ${title}`,
  };
}

/** What its screen shows; null where that is not understood. */
export function screenSign(lines: readonly string[], observedAt: number): AgentSign | null {
  const seen = readAgentScreen(lines);
  if (seen === null) return null;
  const { turn, dialog, draft, background } = seen;
  return {
    ...{ source: 'screen', observedAt, isLive: true, isVerified: true, turn, waitingFor: dialog, background },
    ...{ hasDraft: draft !== '', isReady: turn === 'over' && dialog === null },
    text: dialog === null ? `its screen: ${turn}` : `its screen asks for ${dialog}`,
  };
}
