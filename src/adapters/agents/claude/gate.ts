import type { AgentGate } from '../../../ports/agent.ts';
import { readStart } from '../common/read-file.ts';
import { readStop } from '../common/stop-payload.ts';
import { conversationResumedIn, isConversationId } from './command-line.ts';
import { readTodo } from './todo.ts';

/** After so many in a row Claude Code 2.1.325 stops anyway, unless it is told otherwise. */
const CAP = 8;
const HEAD_BYTES = 1024 * 1024;

/** Claude Code at the end of a turn. */
export const GATE: AgentGate = {
  event: 'Stop',
  read: (payload) => readStop(payload, 'Stop', isConversationId),
  block: (reason) => JSON.stringify({ decision: 'block', reason }),
  cap({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: told }) {
    if (told === undefined || !/^\d{1,6}$/.test(told)) return CAP;
    return Number(told) === 0 ? null : Number(told);
  },
  hasDaemon: false,
  resumes: conversationResumedIn,
  // Where it is given another id, what was said before stands at its beginning under the old one.
  continues({ transcript }, conversation) {
    const start = transcript === null ? null : readStart(transcript, HEAD_BYTES);
    return start?.state === 'read' && start.text.includes(`"sessionId":"${conversation}"`);
  },
  todo: readTodo,
};
