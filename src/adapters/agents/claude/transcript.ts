import type { AgentSign } from '../../../core/agent/sign.ts';
import { isWithin } from '../../../core/agent/version.ts';
import type { WaitingFor } from '../../../core/verdict/verdict.ts';
import { asObject, type JsonFields, objectIn } from '../../files/json-object.ts';
import { troubleOf } from './trouble.ts';
import { VERIFIED } from './verified.ts';

/** What the last records of a transcript tell of the turn. */
export interface TranscriptTale {
  readonly turn?: 'running' | 'over';
  /** The turn was prompted at this time; absent where the prompt is not the last record. */
  readonly beganAt?: number;
  /** Agents in the background that the end of the turn left running; absent where it left none or is not reached. */
  readonly background?: number;
  /** The turn ended because of this. */
  readonly trouble?: WaitingFor;
  /** The last tool that was called, while nothing has come of it yet. */
  readonly openTool?: string;
  readonly at: number;
  readonly text: string;
}

/** What is told of the end of a turn beside how it ended. */
type TurnEnd = Pick<TranscriptTale, 'at' | 'background'>;

/**
 * Reads the last meaningful record. Half a line at the end means that something newer is being written, and then nothing
 * is told: what stands before it may be over. A record that is not understood ends the search for the same reason.
 */
export function taleOf(text: string): TranscriptTale | null {
  const lines = text.split('\n');
  if (lines.pop() !== '') return null;
  let end: TurnEnd | null = null;
  for (const line of lines.reverse()) {
    const record = objectIn(line);
    if (record === null) return null;
    if (record.isSidechain === true || PASSED_OVER.has(String(record.type))) continue;
    const at = Date.parse(String(record.timestamp));
    if (Number.isNaN(at)) return null;
    if (record.type === 'system') {
      if (record.subtype === 'turn_duration') end ??= { at, ...pendingIn(record) };
      else if (record.subtype === 'api_error')
        return { turn: 'running', at, text: 'it tries a failed request again' };
      else if (!SYSTEM_PASSED_OVER.has(String(record.subtype))) return null;
      continue;
    }
    const tale = record.type === 'user' ? userTale(record, at) : assistantTale(record, at);
    if (tale === null || end === null) return tale;
    return endedTale(tale, end);
  }
  return null;
}

// Notes beside the conversation: none of them begins or ends a turn.
const PASSED_OVER: ReadonlySet<string> = new Set(
  (
    'api-request api-request-blob api-request-shape atis-latch attachment cost-state file-history-snapshot last-prompt ' +
    'mode permission-mode tools-used'
  ).split(' '),
);
const SYSTEM_PASSED_OVER: ReadonlySet<string> = new Set(['local_command', 'stop_hook_summary']);

function pendingIn({ pendingBackgroundAgentCount: count }: JsonFields): Omit<TurnEnd, 'at'> {
  if (typeof count !== 'number' || !(count > 0)) return {};
  // Whatever number it is, it is not none.
  return { background: Number.isSafeInteger(count) ? count : 1 };
}

function contentOf(record: JsonFields): { readonly text: string; readonly blocks: readonly JsonFields[] } {
  const content = asObject(record.message)?.content;
  if (typeof content === 'string') return { text: content, blocks: [] };
  const blocks = Array.isArray(content) ? content.map(asObject).filter((block) => block !== null) : [];
  const first = blocks[0]?.text;
  return { text: typeof first === 'string' ? first : '', blocks };
}

const INTERRUPTED = '[Request interrupted by user';

// Commands of the prompt (`/model`, `! ls`) and the expansions of skills are written as a user's too: which of the two
// one is cannot be told from the record, so it tells nothing.
function userTale(record: JsonFields, at: number): TranscriptTale | null {
  const { text, blocks } = contentOf(record);
  if (text.startsWith(INTERRUPTED)) return { turn: 'over', at, text: 'its last turn was interrupted' };
  if (blocks.some((block) => block.type === 'tool_result')) {
    return { turn: 'running', at, text: 'a tool has answered' };
  }
  const isTold = record.isMeta !== true && record.isCompactSummary !== true;
  const isPrompt = !text.startsWith('<') || text.startsWith('<task-notification>');
  return isTold && isPrompt && text !== ''
    ? { turn: 'running', beganAt: at, at, text: 'a prompt was sent' }
    : null;
}

function assistantTale(record: JsonFields, at: number): TranscriptTale | null {
  const { text, blocks } = contentOf(record);
  if (record.isApiErrorMessage === true) {
    return {
      turn: 'over',
      trouble: troubleOf(record.error, text),
      at,
      text: 'its last turn ended in an error',
    };
  }
  const reason = asObject(record.message)?.stop_reason;
  if (reason === 'tool_use' || reason === null) {
    const tool = blocks.find((block) => block.type === 'tool_use')?.name;
    return {
      turn: 'running',
      ...(typeof tool === 'string' && { openTool: tool }),
      at,
      text: 'a tool was called',
    };
  }
  // Hooks that run at the end may still send it on.
  return typeof reason === 'string' ? { at, text: 'its answer is written' } : null;
}

function endedTale(tale: TranscriptTale, end: TurnEnd): TranscriptTale {
  const { trouble } = tale;
  const text = trouble === undefined ? 'its last turn is over' : tale.text;
  return { turn: 'over', ...(trouble && { trouble }), ...end, text };
}

/** The sign of a tale; null when it tells nothing of the turn. */
export function transcriptSign(
  tale: TranscriptTale,
  now: number,
  version: string | undefined,
): AgentSign | null {
  const { turn, beganAt, trouble, background, at, text } = tale;
  if (turn === undefined) return null;
  return {
    source: 'transcript',
    observedAt: now,
    isLive: false,
    since: at,
    turn,
    ...(beganAt !== undefined && { beganAt }),
    ...(trouble && { waitingFor: trouble }),
    ...(background !== undefined && { background }),
    isVerified: isWithin(version, VERIFIED),
    text,
  };
}
