import type { StopSaid } from '../../../ports/agent.ts';
import type { JsonFields } from '../../files/json-object.ts';

const MAX_PATH = 4096;

/**
 * Reads the payload that Claude Code, Codex and Gemini give a hook at the end of a turn; null unless everything needed
 * for a decision is there and has the right type. An empty conversation is none; one in an unknown form is not
 * understood.
 */
export function readStop(
  payload: JsonFields | null,
  event: string,
  isConversation: (id: string) => boolean,
): StopSaid | null {
  if (payload === null || payload.hook_event_name !== event) return null;
  const { session_id: id, stop_hook_active: isContinued, agent_id: agent, transcript_path: path } = payload;
  const isNamed = typeof id === 'string' && id !== '';
  if (isNamed ? !isConversation(id) : !isMissing(id) && id !== '') return null;
  if (typeof isContinued !== 'boolean') return null;
  if (!isMissing(agent) && typeof agent !== 'string') return null;
  // All three always say these; whoever calls the hook by hand seldom does.
  if (!isPath(payload.cwd) || path === undefined) return null;
  return {
    conversation: isNamed ? id : null,
    isSubagent: typeof agent === 'string',
    isContinued,
    transcript: isPath(path) ? path : null,
  };
}

/** The transcript that an event names. */
export function transcriptIn({ transcript_path: path }: JsonFields): { readonly transcript?: string } {
  return isPath(path) ? { transcript: path } : {};
}

function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isPath(value: unknown): value is string {
  return (
    typeof value === 'string' && value.startsWith('/') && value.length <= MAX_PATH && !value.includes('\0')
  );
}
