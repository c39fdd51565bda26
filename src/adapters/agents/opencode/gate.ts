import type { AgentGate, StopSaid } from '../../../ports/agent.ts';
import { asObject } from '../common/last-call.ts';
import { recognises, SESSION_ID, startWords } from './command-line.ts';
import { readTodo } from './todo.ts';

/** opencode at the end of a turn, as our plugin tells of it: the plugin also makes it go on. */
export const gate: AgentGate = {
  event: 'session.idle',
  read,
  block: (reason) => JSON.stringify({ decision: 'block', reason }),
  cap: () => null,
  hasDaemon: false,
  asksItself: true,
  resumes(argv) {
    const { session, isAttached } = startWords(argv);
    return recognises(argv) && !isAttached ? (session ?? null) : null;
  },
  todo: readTodo,
};

/** Whether it is a subagent's must be told: without its session's parent nothing is understood. */
function read(payload: Readonly<Record<string, unknown>> | null): StopSaid | null {
  if (payload?.type !== 'session.idle') return null;
  const properties = asObject(payload.properties);
  const info = asObject(properties?.info);
  const { sessionID: id } = properties ?? {};
  const { parentID: parent } = info ?? {};
  const isContinued = payload.stop_hook_active;
  if (typeof id !== 'string' || !SESSION_ID.test(id) || info?.id !== id) return null;
  if (typeof isContinued !== 'boolean') return null;
  if (parent !== undefined && parent !== null && typeof parent !== 'string') return null;
  return { conversation: id, isSubagent: typeof parent === 'string', isContinued, transcript: null };
}
