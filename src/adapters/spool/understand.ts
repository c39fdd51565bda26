import type { HookEvent, HookMeaning } from '../../core/agent/hook-memory.ts';
import { tryOr } from '../../core/try-or.ts';
import type { AgentHooks } from '../../ports/agent.ts';
import type { EventFile } from './read-event.ts';

export type Translate = AgentHooks['translate'];

/** An event with what it means, or why it is dropped. */
export type Understood =
  | {
      readonly event: HookEvent;
      readonly meaning: HookMeaning;
      /** It tells nothing of rest, and may have told the contrary of what was known. */
      readonly isDoubtful: boolean;
    }
  | 'unknown-agent'
  | 'says-nothing'
  /** It may have said anything. */
  | 'not-understood';

const MAX_ID_LENGTH = 256;
const MAX_PATH_LENGTH = 4096;
/** So far ahead of now the clock of files may be; what is further ahead has no place in the order of events. */
const MAX_AHEAD_MS = 60_000;

/** Has the adapter of its agent translate an event, and keeps what would not be safe to remember out. */
export function understand(
  file: Extract<EventFile, { state: 'event' }>,
  translate: (agentKind: string) => Translate | undefined,
  now: number,
): Understood {
  const { agentKind, event, sender, payload, isWhole, conversation } = file;
  const adapter = translate(agentKind);
  if (adapter === undefined) return 'unknown-agent';
  const isAhead = file.at > now + MAX_AHEAD_MS;
  const heard: HookEvent = { agentKind, event, at: isAhead ? now : file.at, sender, payload };
  const told = tryOr('failed', () => adapter(heard));
  if (told === null) return isWhole ? 'says-nothing' : 'not-understood';
  if (told === 'failed' || !isShort(told)) return 'not-understood';
  const meaning = { ...told, conversation: told.conversation ?? conversation };
  const isDoubtful = isAhead || !isWhole;
  return { event: heard, meaning: isDoubtful ? cautious(meaning) : meaning, isDoubtful };
}

// Texts that a payload made up; a whole memory file is read with every command.
function isShort({ conversation, subagentStarted, subagentEnded, transcript }: HookMeaning): boolean {
  const ids = [conversation ?? '', subagentStarted ?? '', subagentEnded ?? ''];
  return ids.every((id) => id.length <= MAX_ID_LENGTH) && (transcript ?? '').length <= MAX_PATH_LENGTH;
}

/**
 * What may be believed of an event whose payload was not read in full: that the agent is busy, never that it is done.
 * What was lost may be the very list of what still runs.
 */
function cautious(told: HookMeaning): HookMeaning {
  const { conversation, turn, isPrompt, waitingFor, background, subagentStarted } = told;
  return {
    conversation,
    ...(turn === 'running' && { turn }),
    ...(isPrompt && { isPrompt }),
    ...(waitingFor && { waitingFor }),
    ...(background && { background }),
    ...(subagentStarted !== undefined && { subagentStarted }),
  };
}
