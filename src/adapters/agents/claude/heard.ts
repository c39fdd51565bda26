import type { HeardFact, HookMemory } from '../../../core/agent/hook-memory.ts';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { isWithin } from '../../../core/agent/version.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AgentScene } from '../../../ports/agent.ts';
import { VERIFIED } from './verified.ts';

/** The start of a process is known to 10 ms only, and the clock may have been set a little since. */
const START_TOLERANCE_MS = 1000;

/**
 * The hook memory of this very process. Another process may continue a conversation, and another agent may have been in
 * the pane: so conversation, process and time must all fit.
 */
export function memoryOf(scene: AgentScene, conversation: string | undefined): HookMemory | undefined {
  return scene.hooks.find((memory) => {
    if (memory.endedAt !== undefined || !isSinceStart(memory.last.at, scene)) return false;
    if (conversation !== undefined && memory.conversation !== conversation) return false;
    const { agentPid, paneId, tmuxServerPid } = memory.sender;
    if (agentPid !== undefined) return agentPid === scene.agent.pid;
    return paneId === scene.paneId && tmuxServerPid === scene.server.pid;
  });
}

/** What hooks told of a process since it began. */
export type FreshFacts = Pick<HookMemory, 'turn' | 'waitingFor' | 'background'>;

/**
 * Which facts of a memory were told since the process began; older ones ended with the process before. Events from the
 * future (the clock was set back) prove work, never rest: nobody knows how old they are.
 */
export function freshFacts(memory: HookMemory, scene: AgentScene): FreshFacts {
  const fresh = <T>(heard: HeardFact<T> | undefined, isRest: boolean) => {
    if (heard === undefined || !isSinceStart(heard.at, scene)) return undefined;
    return isRest && heard.at > scene.now + START_TOLERANCE_MS ? undefined : heard;
  };
  const [turn, waitingFor, background] = [
    fresh(memory.turn, memory.turn?.value === 'over'),
    fresh(memory.waitingFor, memory.waitingFor?.value === null),
    fresh(memory.background, memory.background?.value === 0),
  ];
  return { ...(turn && { turn }), ...(waitingFor && { waitingFor }), ...(background && { background }) };
}

function isSinceStart(at: number, { agent }: AgentScene): boolean {
  return at >= agent.startedAt - START_TOLERANCE_MS;
}

/**
 * The sign of what the hooks told; null if nothing. “Nothing runs in the background” only holds if the end of the last
 * turn said so: after an interrupted prompt no hook speaks of the background.
 */
export function hookSign(
  memory: HookMemory,
  scene: AgentScene,
  version: string | undefined,
): AgentSign | null {
  const { turn, waitingFor, background } = freshFacts(memory, scene);
  const times = [turn, waitingFor, background].filter((heard) => heard !== undefined).map(({ at }) => at);
  if (times.length === 0) return null;
  const tasks = tasksTold(turn, background) ?? (memory.subagents.length || undefined);
  return {
    source: 'hook',
    observedAt: scene.now,
    isLive: false,
    since: Math.max(...times),
    ...(turn && { turn: turn.value }),
    ...(memory.beganAt !== undefined && { beganAt: memory.beganAt }),
    ...(waitingFor && { waitingFor: waitingFor.value }),
    ...(tasks !== undefined && { background: tasks }),
    isVerified: isWithin(version, VERIFIED),
    text: visible(`its hook ${memory.last.event} was the last to tell`, 200),
  };
}

function tasksTold(turn: HookMemory['turn'], background: HookMemory['background']): number | undefined {
  if (background === undefined) return undefined;
  const isOfTheEnd = turn?.value === 'over' && background.at >= turn.at;
  return background.value > 0 || isOfTheEnd ? background.value : undefined;
}
