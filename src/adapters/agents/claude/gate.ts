import type { AgentGate } from '../../../ports/agent.ts';
import { readStop } from '../common/stop-payload.ts';
import { conversationResumedIn, isConversationId } from './recognise.ts';
import { readTodo } from './todo.ts';

/** After so many in a row Claude Code 2.1.325 stops anyway, unless it is told otherwise. */
const CAP = 8;

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
  todo: readTodo,
};
