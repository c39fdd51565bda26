import type { HookEvent, HookMeaning } from '../../core/agent/hook-memory.ts';
import type { AgentHooks } from '../../ports/agent.ts';
import { cautious } from './cautious.ts';
import type { EventFile } from './read-event.ts';

export type Translate = AgentHooks['translate'];

/** An event with what it means, or why it is dropped. */
export type Understood =
  | { readonly event: HookEvent; readonly meaning: HookMeaning }
  | 'unknown-agent'
  | 'says-nothing';

const MAX_ID_LENGTH = 256;
const MAX_PATH_LENGTH = 4096;

/** Has the adapter of its agent translate an event, and keeps what would not be safe to remember out. */
export function understand(
  { agentKind, event, at, sender, payload, isWhole, conversation }: Extract<EventFile, { state: 'event' }>,
  translate: (agentKind: string) => Translate | undefined,
): Understood {
  const adapter = translate(agentKind);
  if (adapter === undefined) return 'unknown-agent';
  const heard: HookEvent = { agentKind, event, at, sender, payload };
  const told = meaningOf(heard, adapter);
  if (told === null || !isShort(told)) return 'says-nothing';
  const meaning = { ...told, conversation: told.conversation ?? conversation };
  return { event: heard, meaning: isWhole ? meaning : cautious(meaning) };
}

function meaningOf(event: HookEvent, translate: Translate): HookMeaning | null {
  try {
    return translate(event);
  } catch {
    return null;
  }
}

// Texts that a payload made up; a whole memory file is read with every command.
function isShort({ conversation, subagentStarted, subagentEnded, transcript }: HookMeaning): boolean {
  const ids = [conversation ?? '', subagentStarted ?? '', subagentEnded ?? ''];
  return ids.every((id) => id.length <= MAX_ID_LENGTH) && (transcript ?? '').length <= MAX_PATH_LENGTH;
}
