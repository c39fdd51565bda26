import type { HookEvent, HookMeaning, HookMemory } from '../../../core/agent/hook-memory.ts';
import type { AgentSign } from '../../../core/agent/sign.ts';
import { visible } from '../../../core/text/visible.ts';
import type { WaitingFor } from '../../../core/verdict/verdict.ts';
import type { AgentHooks, AgentScene } from '../../../ports/agent.ts';
import { asObject, type JsonFields } from '../../files/json-object.ts';
import { transcriptIn } from '../common/stop-payload.ts';
import type { SeenBackground } from './background.ts';
import { isConversationId } from './command-line.ts';

// Process start times are told in clock ticks; an event of the process cannot be older than that.
const CLOCK_SLACK_MS = 1_000;

type Facts = Omit<HookMeaning, 'conversation'>;

/** What each event says; null where it says nothing. */
const MEANINGS: Readonly<Record<string, (payload: JsonFields) => Facts | null>> = {
  SessionStart: () => ({ isStart: true }),
  // It comes up to three times for one end.
  SessionEnd: () => ({ isEnd: true }),
  BeforeAgent: () => ({ turn: 'running', isPrompt: true, waitingFor: null }),
  // When another hook denies the end, BeforeAgent follows with the hook's reason as its prompt.
  AfterAgent: () => ({ turn: 'over', waitingFor: null }),
  BeforeTool: () => ({ turn: 'running', waitingFor: null }),
  AfterTool: () => ({ turn: 'running', waitingFor: null }),
  Notification: ({ notification_type: type, details }) =>
    type === 'ToolPermission' ? { turn: 'running', waitingFor: askedFor(details) } : null,
};

/** The hooks of Gemini. PreCompress comes before every turn, whether or not anything is compressed: it is not heard. */
export const GEMINI_HOOKS: AgentHooks = { events: Object.keys(MEANINGS), translate };

function translate({ event, payload }: HookEvent): HookMeaning | null {
  if (payload === null || !isConversationId(payload.session_id) || !Object.hasOwn(MEANINGS, event))
    return null;
  const meaning = MEANINGS[event]?.(payload) ?? null;
  return meaning && { conversation: payload.session_id, ...transcriptIn(payload), ...meaning };
}

function askedFor(details: unknown): WaitingFor {
  const type = asObject(details)?.type;
  if (type === 'ask_user') return 'question';
  return type === 'exit_plan_mode' ? 'plan' : 'permission';
}

/**
 * What is known of the conversation that this very process holds. Events count when they were sent from its pane on its
 * server, by itself or its launcher, after it had started: whatever else a file may claim is another one's, or older.
 */
export function believedMemory({ agent, launchers, hooks, paneId, server }: AgentScene): HookMemory | null {
  const pids = [agent, ...launchers].map(({ pid }) => pid);
  const own = hooks.find(
    ({ sender, last }) =>
      sender.paneId === paneId &&
      sender.tmuxServerPid === server.pid &&
      pids.includes(sender.parentPid) &&
      last.at >= agent.startedAt - CLOCK_SLACK_MS,
  );
  return own === undefined || own.endedAt !== undefined ? null : own;
}

/** Until the title follows an event. It changes in the same step of the program, so this is ample. */
const TITLE_FOLLOWS_MS = 3_000;

/** What the hooks tell. No event follows a declined permission: once the title says Ready, older events are over. */
export function hookSign(memory: HookMemory, seen: SeenBackground): AgentSign | null {
  const isOutdated = (at: number) =>
    at < seen.startedAt - CLOCK_SLACK_MS || (seen.isTitleReady && seen.now - at > TITLE_FOLLOWS_MS);
  const { turn, beganAt: promptedAt = 0, waitingFor } = memory;
  const isRunning = turn?.value === 'running';
  const turnTold = turn && !(isOutdated(turn.at) && isRunning) && turn.at >= seen.startedAt - CLOCK_SLACK_MS;
  const asks = waitingFor?.value && !isOutdated(waitingFor.at) ? waitingFor : undefined;
  const beganAt = promptedAt >= seen.startedAt - CLOCK_SLACK_MS ? promptedAt : undefined;
  const { now: observedAt, isVerified } = seen;
  const base = { source: 'hook', observedAt, isLive: false, isVerified } as const;
  const sign = { ...base, ...(beganAt !== undefined && { beganAt }) };
  // That a turn is over by now does not undo that it began.
  if (!turnTold && !asks)
    return beganAt === undefined ? null : { ...sign, since: beganAt, text: 'its last turn has begun' };
  const event = visible(memory.last.event, 40);
  return {
    ...sign,
    since: asks?.at ?? turn?.at ?? memory.last.at,
    ...(turnTold && { turn: turn.value }),
    ...(asks?.value && { waitingFor: asks.value }),
    text: asks ? `it asked (${event})` : `its turn ${turn?.value === 'over' ? 'is over' : 'runs'} (${event})`,
  };
}
