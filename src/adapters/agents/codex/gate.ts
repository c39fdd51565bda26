import type { AgentGate } from '../../../ports/agent.ts';
import { asObject, objectIn } from '../../files/json-object.ts';
import { lastCall } from '../common/last-call.ts';
import { readStop } from '../common/stop-payload.ts';
import { openIn, todoOf, unknownTodo } from '../common/todo-list.ts';
import { codexCommand, isAppServer, isCodex, THREAD_ID } from './command-line.ts';
import { createTranscripts } from './transcript.ts';

/** Codex at the end of a turn. It was seen to go on fifteen times in a row: no end is known. */
export const gate: AgentGate = {
  event: 'Stop',
  read: (payload) => readStop(payload, 'Stop', (id) => THREAD_ID.test(id)),
  block: (reason) => JSON.stringify({ decision: 'block', reason }),
  cap: () => null,
  hasDaemon: true,
  isOther: (argv) => codexCommand(argv) !== null && !isCodex(argv) && !isAppServer(argv),
  resumes: (argv) => codexCommand(argv)?.resumes ?? null,
  todo({ conversation, transcript }) {
    if (transcript === null) return unknownTodo('its transcript is not named');
    if (createTranscripts().owner(transcript)?.id !== conversation)
      return unknownTodo('the transcript that its hook named is not its own');
    return todoOf(lastCall(transcript, ['"update_plan"'], planIn));
  },
};

/** What a call left open; one that Codex itself could not read changed nothing. */
function planIn(line: string): string[] | null {
  const record = objectIn(line);
  const call = record?.type === 'response_item' ? asObject(record.payload) : null;
  if (call?.type !== 'function_call' || call.name !== 'update_plan') return null;
  const given = typeof call.arguments === 'string' ? objectIn(call.arguments) : null;
  return openIn(given?.plan, { text: 'step', closed: ['completed'] });
}
