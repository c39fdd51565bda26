import type { HookEvent, HookMeaning, HookMemory } from '../../../core/agent/hook-memory.ts';
import type { AgentSign } from '../../../core/agent/sign.ts';
import type { AgentHooks, AgentScene } from '../../../ports/agent.ts';
import { asObject, type JsonFields } from '../../files/json-object.ts';

/** A message's time and the start of a process are taken from different clocks. */
const CLOCK_SLACK_MS = 2000;

/** A session that was made for a prompt has begun to work within this time. */
const BEGINNING_MS = 10_000;

const MEANINGS: Readonly<Record<string, Omit<HookMeaning, 'conversation'>>> = {
  'session.created': { isStart: true },
  'session.idle': { turn: 'over', waitingFor: null },
  'chat.message': { turn: 'running', isPrompt: true },
  'tool.execute.before': { turn: 'running' },
  'tool.execute.after': { turn: 'running' },
  'permission.asked': { turn: 'running', waitingFor: 'permission' },
  'permission.replied': { turn: 'running', waitingFor: null },
  'question.asked': { turn: 'running', waitingFor: 'question' },
  'question.replied': { turn: 'running', waitingFor: null },
  'question.rejected': { turn: 'running', waitingFor: null },
};

/**
 * opencode's plugin events. Each session, also a subagent's, is on its own: only its creation names its parent, so its
 * end could not be told to the parent. Errors and compactions are parts of a turn.
 */
export const hooks: AgentHooks = {
  events: [...Object.keys(MEANINGS), 'session.status', 'session.error', 'session.compacted', 'dispose'],
  translate,
};

function translate({ event, payload }: HookEvent): HookMeaning | null {
  if (event === 'dispose') return { conversation: null, isEnd: true };
  const properties = asObject(payload?.properties) ?? payload;
  const conversation = sessionOf(properties);
  if (conversation === null) return null;
  if (event === 'session.status') return statusMeaning(conversation, asObject(properties?.status)?.type);
  const meaning = Object.hasOwn(MEANINGS, event) ? MEANINGS[event] : undefined;
  return meaning ? { conversation, ...meaning } : null;
}

function statusMeaning(conversation: string, type: unknown): HookMeaning | null {
  if (type === 'idle') return { conversation, turn: 'over', waitingFor: null };
  return type === 'busy' || type === 'retry' ? { conversation, turn: 'running' } : null;
}

function sessionOf(properties: JsonFields | null | undefined): string | null {
  const candidates = [
    properties?.sessionID,
    asObject(properties?.info)?.id,
    asObject(properties?.input)?.sessionID,
  ];
  const id = candidates.find((value) => typeof value === 'string');
  return typeof id === 'string' && id.length > 0 && id.length <= MAX_ID ? id : null;
}

const MAX_ID = 100;

/** Whose sessions the plugin's events speak of. */
export interface HeardSessions {
  /** What this very process has told, newest first. */
  readonly own: readonly HookMemory[];
  /** Sessions that another process spoke of last, while this one was already there. */
  readonly others: ReadonlySet<string>;
}

/** Sorts what the hooks have told. An event from before the process's start was sent by an earlier owner of its pid. */
export function heardSessions({ hooks: heard, agent, launchers }: AgentScene): HeardSessions {
  const pids = [agent, ...launchers].map(({ pid }) => pid);
  const own: HookMemory[] = [];
  const others = new Set<string>();
  for (const memory of heard) {
    const { agentPid } = memory.sender;
    if (memory.conversation === null || agentPid === undefined) continue;
    if (memory.last.at < agent.startedAt - CLOCK_SLACK_MS) continue;
    if (pids.includes(agentPid)) own.push(memory);
    else others.add(memory.conversation);
  }
  return { own, others };
}

/**
 * What the events of all sessions of this process say together, null when there were none. A plugin is loaded before the
 * first session, so one that was heard at all has told of every session.
 */
export function hookSign(
  { own }: HeardSessions,
  { agent, now }: AgentScene,
  isVerified: boolean,
  shown?: string,
): AgentSign | null {
  // A subagent is prompted within the turn of its parent: only the session on the screen tells when a turn began.
  const beganAt = own.find(({ conversation }) => conversation === shown)?.beganAt;
  const began = beganAt === undefined ? {} : { beganAt };
  const base = { source: 'hook', observedAt: now, isLive: false, isVerified, ...began } as const;
  const since = agent.startedAt - CLOCK_SLACK_MS;
  const facts = own.map(({ turn, waitingFor, last }) => ({
    turn: turn && turn.at >= since ? turn : { value: 'over' as const, at: last.at },
    asked: waitingFor && waitingFor.value !== null && waitingFor.at >= since ? waitingFor : undefined,
  }));
  const asked = facts.map((fact) => fact.asked).find((fact) => fact !== undefined);
  if (asked?.value) {
    const text = `its plugin told that a ${asked.value} is open`;
    return { ...base, since: asked.at, turn: 'running', waitingFor: asked.value, text };
  }
  const running = facts.map((fact) => fact.turn).filter((turn) => turn.value === 'running');
  if (running.length > 0) {
    const last = Math.max(...running.map((turn) => turn.at));
    return { ...base, since: last, turn: 'running', text: 'its plugin told that a session is at work' };
  }
  const isBeginning = own.some(({ turn, last }) => turn === undefined && now - last.at < BEGINNING_MS);
  if (facts.length === 0 || isBeginning) return null;
  const over = Math.max(...facts.map((fact) => fact.turn.at));
  const text = 'its plugin told that every session has ended its turn';
  return { ...base, since: over, turn: 'over', text };
}
