import type { HookEvent, HookMeaning } from '../../../core/agent/hook-memory.ts';
import type { AgentHooks } from '../../../ports/agent.ts';
import type { JsonFields } from '../../files/json-object.ts';
import { transcriptIn } from '../common/stop-payload.ts';
import { codexCommand, THREAD_ID } from './command-line.ts';

type Facts = Omit<HookMeaning, 'conversation'>;

const running = (): Facts => ({ turn: 'running', waitingFor: null });
const over = (): Facts => ({ turn: 'over', waitingFor: null });

const EVENTS: Readonly<Record<string, (payload: JsonFields) => Facts | null>> = {
  // It comes with the first prompt, not at the launch; after a compaction the conversation merely goes on.
  SessionStart: (payload) => (payload.source === 'compact' ? null : { isStart: true }),
  SessionEnd: () => ({ isEnd: true }),
  UserPromptSubmit: () => ({ ...running(), isPrompt: true }),
  PreToolUse: running,
  PermissionRequest: () => ({ turn: 'running', waitingFor: 'permission' }),
  PostToolUse: running,
  PreCompact: () => ({ turn: 'running', waitingFor: 'compaction' }),
  // What a person asked for with /compact ends here, and no Stop follows; an automatic one is part of a turn.
  PostCompact: (payload) => (payload.trigger === 'manual' ? over() : running()),
  Interrupt: over,
  Stop: over,
  SubagentStart: () => null,
  SubagentStop: () => null,
};

/** The hooks of Codex. Where a shared daemon sends them only the conversation tells whose they are, never the pane. */
export const hooks: AgentHooks = {
  events: Object.keys(EVENTS),
  translate({ event, payload }: HookEvent): HookMeaning | null {
    const conversation = idIn(payload, 'session_id');
    if (payload === null || conversation === null || !Object.hasOwn(EVENTS, event)) return null;
    const subagent = idIn(payload, 'agent_id');
    if (subagent !== null) return subagentMeaning(conversation, subagent, event);
    if (payload.agent_id !== undefined && payload.agent_id !== null) return null;
    const meaning = EVENTS[event]?.(payload) ?? null;
    return meaning && { conversation, ...meaning, ...transcriptIn(payload) };
  },
  isFromPane(argv) {
    // `rollcall lock … -- codex` stays in front of it.
    const command = codexCommand(argv) ?? codexCommand(argv.slice(argv.indexOf('--') + 1));
    return command?.isWithoutDaemon === true;
  },
};

// A subagent's events carry the session of its parent, whose turn they say nothing about; their paths are its own.
function subagentMeaning(conversation: string, subagent: string, event: string): HookMeaning | null {
  if (event === 'SubagentStop') return { conversation, subagentEnded: subagent };
  const isAlive = event === 'SubagentStart' || event === 'UserPromptSubmit' || event === 'PreToolUse';
  return isAlive ? { conversation, subagentStarted: subagent } : null;
}

function idIn(payload: JsonFields | null, key: string): string | null {
  const value = payload?.[key];
  return typeof value === 'string' && THREAD_ID.test(value) ? value : null;
}
