import type { WaitingFor } from '../verdict/verdict.ts';

/** One hook event as the spool brought it. Everything in it was written by a process of the same user, nothing more. */
export interface HookEvent {
  readonly agentKind: string;
  readonly event: string;
  readonly at: number;
  readonly sender: HookSender;
  /** The agent's own JSON, whatever it holds; null when it was none. */
  readonly payload: Readonly<Record<string, unknown>> | null;
}

/** Which process sent a hook event, as far as its environment tells. */
export interface HookSender {
  /** The parent of the hook's shell: the agent, its launcher, a shell between them, or a daemon. */
  readonly parentPid: number;
  /** The agent's own pid, where it says so in the hook's environment (CLAUDE_PID) or speaks for itself. */
  readonly agentPid?: number;
  readonly tmuxSocket?: string;
  readonly tmuxServerPid?: number;
  readonly paneId?: string;
}

/** Whose an event is, as far as its header tells. */
export interface HookOrigin {
  readonly agentKind: string;
  readonly sender: HookSender;
  readonly conversation: string | null;
}

/** What an event means; the adapter of its agent translates it. What it does not speak of is left out. */
export interface HookMeaning {
  readonly conversation: string | null;
  readonly turn?: 'running' | 'over';
  /** A turn begins with this very event: it was prompted, by somebody or by the agent itself. */
  readonly isPrompt?: boolean;
  /** null: whatever it waited for before, it does no longer. */
  readonly waitingFor?: WaitingFor | null;
  readonly background?: number;
  /** The conversation began, or was taken up again: what was known of it before is over. */
  readonly isStart?: boolean;
  /** The agent has left the conversation. */
  readonly isEnd?: boolean;
  readonly subagentStarted?: string;
  readonly subagentEnded?: string;
  readonly transcript?: string;
}

/** A fact with the time of the event that told it. */
export interface HeardFact<T> {
  readonly value: T;
  readonly at: number;
}

/** Everything that the hooks of one conversation have told so far. */
export interface HookMemory {
  readonly agentKind: string;
  readonly conversation: string | null;
  /** Of the last event. */
  readonly sender: HookSender;
  readonly turn?: HeardFact<'running' | 'over'>;
  /** When the last turn was prompted. */
  readonly beganAt?: number;
  readonly waitingFor?: HeardFact<WaitingFor | null>;
  readonly background?: HeardFact<number>;
  readonly subagents: readonly string[];
  readonly transcript?: string;
  readonly endedAt?: number;
  readonly last: { readonly event: string; readonly at: number };
}

const MAX_SUBAGENTS = 100;
/** Stands for those above the most that are kept by name: which of them ended is not known then. */
const MORE_SUBAGENTS = '…';

/** Adds one event to what is known of its conversation. Events come in the order in which they were sent. */
export function rememberEvent(
  before: HookMemory | undefined,
  event: HookEvent,
  meaning: HookMeaning,
): HookMemory {
  const known = meaning.isStart ? undefined : before;
  const heard = <T>(value: T | undefined, earlier: HeardFact<T> | undefined): HeardFact<T> | undefined =>
    value === undefined ? earlier : { value, at: event.at };
  const turn = heard(meaning.turn, known?.turn);
  const waitingFor = heard(meaning.waitingFor, known?.waitingFor);
  const background = heard(meaning.background, known?.background);
  const transcript = meaning.transcript ?? known?.transcript;
  // Taking a conversation up again does not undo a turn that was.
  const beganAt = meaning.isPrompt ? event.at : before?.beganAt;
  return {
    agentKind: event.agentKind,
    conversation: meaning.conversation,
    sender: event.sender,
    ...(turn && { turn }),
    ...(beganAt !== undefined && { beganAt }),
    ...(waitingFor && { waitingFor }),
    ...(background && { background }),
    subagents: subagentsAfter(known?.subagents ?? [], meaning),
    ...(transcript !== undefined && { transcript }),
    ...(meaning.isEnd && { endedAt: event.at }),
    last: { event: event.event, at: event.at },
  };
}

function subagentsAfter(
  before: readonly string[],
  { subagentStarted, subagentEnded }: HookMeaning,
): readonly string[] {
  const left = before.filter((id) => id !== subagentEnded && id !== subagentStarted);
  if (subagentStarted === undefined) return left;
  const named = left.filter((id) => id !== MORE_SUBAGENTS);
  return named.length < MAX_SUBAGENTS ? [...left, subagentStarted] : [...named, MORE_SUBAGENTS];
}

/** Whether a memory tells that something goes on or is waited for: forgetting it would make an agent look idle. */
export function tellsOfWork({ turn, waitingFor, background, subagents, endedAt }: HookMemory): boolean {
  if (endedAt !== undefined) return false;
  const isBusy = turn?.value === 'running' || (background?.value ?? 0) > 0 || subagents.length > 0;
  return isBusy || (waitingFor?.value ?? null) !== null;
}

/** What is still proven after an event was lost at this time: rest that was told of until then is not. */
export function withoutRest(memory: HookMemory, lostAt: number): HookMemory {
  const { turn, waitingFor, background, ...rest } = memory;
  const isProof = (heard: HeardFact<unknown>, isRest: boolean) => !isRest || heard.at > lostAt;
  return {
    ...rest,
    ...(turn && isProof(turn, turn.value === 'over') && { turn }),
    ...(waitingFor && isProof(waitingFor, waitingFor.value === null) && { waitingFor }),
    ...(background && isProof(background, background.value === 0) && { background }),
  };
}
