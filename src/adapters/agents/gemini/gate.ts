import type { AgentGate } from '../../../ports/agent.ts';
import { asObject, objectIn } from '../../files/json-object.ts';
import { lastCall } from '../common/last-call.ts';
import { readEnd } from '../common/read-file.ts';
import { readStop } from '../common/stop-payload.ts';
import { openIn, todoOf, unknownTodo } from '../common/todo-list.ts';
import { conversationResumedIn, isConversationId } from './command-line.ts';
import { createTranscriptCheck } from './transcript.ts';

/** Gemini CLI at the end of a turn. It was seen to go on fifteen times in a row: no end is known. */
export const GEMINI_GATE: AgentGate = {
  event: 'AfterAgent',
  read: (payload) => readStop(payload, 'AfterAgent', isConversationId),
  isInterrupted: ({ transcript }) => transcript !== null && endsCancelled(transcript),
  block: (reason) => JSON.stringify({ decision: 'deny', reason }),
  cap: () => null,
  hasDaemon: false,
  resumes: conversationResumedIn,
  todo({ conversation, transcript }) {
    if (transcript === null) return unknownTodo('its transcript is not named');
    if (createTranscriptCheck()(transcript, conversation).state !== 'own')
      return unknownTodo('the transcript that its hook named is not its own');
    const last = lastCall(transcript, ['"write_todos"', '"$rewindTo"'], listIn);
    if (last.state !== 'found') return todoOf(last);
    return last.value === 'rewound'
      ? unknownTodo('its conversation was taken back to an earlier point')
      : todoOf({ state: 'found', value: last.value });
  },
};

const TAIL_BYTES = 256 * 1024;

/** Escape ends a turn with the same event; Gemini has written this down a moment before. */
function endsCancelled(path: string): boolean {
  const file = readEnd(path, TAIL_BYTES);
  if (file.state !== 'read') return false;
  const last = file.text
    .split('\n')
    .map(objectIn)
    .findLast((record) => typeof record?.type === 'string');
  return last?.type === 'info' && last.content === 'Request cancelled.';
}

/** What a call left open. After a step back it is not told which calls still count. */
function listIn(line: string): string[] | 'rewound' | null {
  const record = objectIn(line);
  if (typeof record?.$rewindTo === 'string') return 'rewound';
  const all = asObject(record?.$set)?.messages;
  const messages = Array.isArray(all) ? all.map(asObject) : [record];
  const calls = messages.flatMap((message) => (Array.isArray(message?.toolCalls) ? message.toolCalls : []));
  const call = calls
    .map(asObject)
    .findLast((each) => each?.name === 'write_todos' && each.status === 'success');
  return openIn(asObject(call?.args)?.todos, { text: 'description', closed: ['completed', 'cancelled'] });
}
