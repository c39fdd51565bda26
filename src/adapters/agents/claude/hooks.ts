import type { HookEvent, HookMeaning } from '../../../core/agent/hook-memory.ts';
import type { WaitingFor } from '../../../core/verdict/verdict.ts';
import type { AgentHooks } from '../../../ports/agent.ts';
import { asObject, type JsonFields } from '../../files/json-object.ts';
import { transcriptIn } from '../common/stop-payload.ts';
import { troubleOf } from './trouble.ts';

type Facts = Omit<HookMeaning, 'conversation' | 'transcript'>;

/** What each event says; null where it says nothing. */
const MEANINGS: Readonly<Record<string, (payload: JsonFields) => Facts | null>> = {
  // Compaction starts the session over in the middle of a turn.
  SessionStart: ({ source }) => (source === 'compact' ? null : { isStart: true }),
  SessionEnd: () => ({ isEnd: true }),
  // Also when it wakes itself after work in the background.
  UserPromptSubmit: () => ({ turn: 'running', isPrompt: true, waitingFor: null }),
  // Says nothing of dialogs: another tool of the same answer may be waiting for permission.
  PreToolUse: () => ({ turn: 'running' }),
  PermissionRequest: ({ tool_name }) => ({ turn: 'running', waitingFor: askedBy(tool_name) }),
  PermissionDenied: () => ({ turn: 'running', waitingFor: null }),
  PostToolUse: ({ tool_name }) => ({
    turn: 'running',
    waitingFor: null,
    // How many there are, the end of the turn will tell; an interrupted turn has no such end.
    ...(SETS_A_TIMER.has(tool_name) && { background: 1 }),
  }),
  PostToolUseFailure: () => ({ turn: 'running', waitingFor: null }),
  Notification: ({ notification_type: type }) => notified(type),
  Elicitation: () => ({ waitingFor: 'question' }),
  ElicitationResult: () => ({ waitingFor: null }),
  PreCompact: () => ({ turn: 'running', waitingFor: 'compaction' }),
  // After an automatic one the turn goes on.
  PostCompact: ({ trigger }) => ({ ...(trigger === 'manual' && { turn: 'over' }), waitingFor: null }),
  SubagentStart: ({ agent_id: id }) => (isId(id) ? { subagentStarted: id } : null),
  SubagentStop: (payload) =>
    isId(payload.agent_id)
      ? { subagentEnded: payload.agent_id, ...backgroundIn(payload, payload.agent_id) }
      : null,
  Stop: (payload) => ({ turn: 'over', waitingFor: null, ...backgroundIn(payload) }),
  StopFailure: ({ error, last_assistant_message: text }) => ({
    turn: 'over',
    waitingFor: troubleOf(error, typeof text === 'string' ? text.slice(0, 500) : ''),
  }),
};

// Inside a subagent only these speak of the pane: its dialogs are the pane's, its tools and its end are not the turn's.
const SPOKEN_BY_SUBAGENTS: ReadonlySet<string> = new Set(
  'SubagentStart SubagentStop PermissionRequest Elicitation Notification'.split(' '),
);
const SETS_A_TIMER: ReadonlySet<unknown> = new Set(['CronCreate', 'ScheduleWakeup']);

/** The hooks of Claude Code. */
export const HOOKS: AgentHooks = { events: Object.keys(MEANINGS), translate };

function translate({ event, payload }: HookEvent): HookMeaning | null {
  if (payload === null || !Object.hasOwn(MEANINGS, event)) return null;
  const isSubagent = typeof payload.agent_id === 'string';
  if (isSubagent && !SPOKEN_BY_SUBAGENTS.has(event)) return null;
  const facts = MEANINGS[event]?.(payload) ?? null;
  if (facts === null) return null;
  const { turn, ...others } = facts;
  const { session_id: id } = payload;
  return {
    conversation: isId(id) ? id : null,
    ...(isSubagent || turn === undefined ? others : facts),
    ...transcriptIn(payload),
  };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 100;
}

function askedBy(tool: unknown): WaitingFor {
  if (tool === 'AskUserQuestion') return 'question';
  return tool === 'ExitPlanMode' ? 'plan' : 'permission';
}

// `permission_prompt` comes six seconds after PermissionRequest and knows less; `idle_prompt` a minute after Stop.
function notified(type: unknown): Facts | null {
  if (type === 'agent_needs_input') return { waitingFor: 'input' };
  if (type === 'elicitation_dialog' || type === 'elicitation_url_dialog') return { waitingFor: 'question' };
  if (type === 'elicitation_complete' || type === 'elicitation_response') return { waitingFor: null };
  return null;
}

// A subagent that stops still stands in the list. Without both lists nothing is told.
function backgroundIn(payload: JsonFields, ended?: string): { readonly background?: number } {
  const { background_tasks: tasks, session_crons: timers } = payload;
  if (!Array.isArray(tasks) || !Array.isArray(timers)) return {};
  const left = tasks.filter((task) => {
    const { id, status } = asObject(task) ?? {};
    return !ENDED.has(status) && (ended === undefined || id !== ended);
  });
  return { background: left.length + timers.length };
}

const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'killed', 'stopped', 'cancelled']);
