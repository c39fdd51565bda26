import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../../core/text/visible.ts';
import { tryOr } from '../../../core/try-or.ts';
import type { AgentGate } from '../../../ports/agent.ts';
import type { OwnTodo } from '../../../ports/gate.ts';
import { asObject, objectIn } from '../../files/json-object.ts';
import { agentFolder } from '../common/files-below.ts';
import { lastCall } from '../common/last-call.ts';
import { readEnd, readStart } from '../common/read-file.ts';
import { readStop } from '../common/stop-payload.ts';
import { openIn, todoOf, unknownTodo } from '../common/todo-list.ts';
import { conversationResumedIn, isConversationId } from './command-line.ts';
import { findTranscript } from './find-transcript.ts';

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

type Stop = Parameters<AgentGate['todo']>[0];
/** A list that was written whole, or `tasks`, each of which has a file of its own. */
type Found = { readonly open: readonly string[] } | 'tasks';

const TOOLS = ['TodoWrite', 'TaskCreate', 'TaskUpdate'];
const NAMED = TOOLS.map((tool) => `"${tool}"`);
const MAX_TASKS = 1000;
const MAX_TASK_BYTES = 1024 * 1024;

/**
 * What is left on the list of a conversation. Claude Code has had two kinds of lists: one that is written whole into the
 * transcript, and tasks in files below its folder. The tool that was used last tells which of them counts.
 */
function readTodo({ conversation, transcript, env }: Stop): OwnTodo {
  const folder = agentFolder(env, 'CLAUDE_CONFIG_DIR', '.claude');
  if (!isConversationId(conversation) || folder === null)
    return unknownTodo('where it keeps its list cannot be told');
  const path = findTranscript({ conversation, folder, told: transcript ?? undefined, cwds: [] });
  if (path === null) return unknownTodo('its transcript is not there');
  const last = lastCall(path, NAMED, callIn);
  if (last.state !== 'found') return todoOf(last);
  if (last.value === 'tasks') return readTasks(join(folder, 'tasks', listOf(conversation, env)));
  return { state: 'read', open: last.value.open };
}

/** A name that leads elsewhere is none. */
function listOf(conversation: string, { CLAUDE_CODE_TASK_LIST_ID: told }: Stop['env']): string {
  return told && /^[\w-]{1,100}$/.test(told) ? told : conversation;
}

function callIn(line: string): Found | null {
  const record = objectIn(line);
  if (record?.type !== 'assistant' || record.isSidechain === true) return null;
  const content = asObject(record.message)?.content;
  const calls = (Array.isArray(content) ? content : []).map(asObject);
  const call = calls.findLast((block) => block?.type === 'tool_use' && TOOLS.includes(String(block.name)));
  if (!call) return null;
  if (call.name !== 'TodoWrite') return 'tasks';
  const open = openIn(asObject(call.input)?.todos, { text: 'content', closed: ['completed'] });
  return open === null ? null : { open };
}

/** Each task is a file; Claude Code removes them when all are done. */
function readTasks(folder: string): OwnTodo {
  const names = namesIn(folder);
  if (names === null) return unknownTodo('its tasks cannot be read');
  const open: string[] = [];
  for (const name of names) {
    const file = readEnd(join(folder, name), MAX_TASK_BYTES);
    // Taken away since the folder was listed.
    if (file.state === 'absent') continue;
    const task = file.state === 'read' && !file.isCut ? objectIn(file.text) : null;
    if (typeof task?.subject !== 'string' || typeof task.status !== 'string')
      return unknownTodo(`${name} of its tasks cannot be read`);
    const isInternal = asObject(task.metadata)?._internal === true;
    if (task.status !== 'completed' && !isInternal) open.push(visible(task.subject, 200));
  }
  return { state: 'read', open };
}

function namesIn(folder: string): string[] | null {
  return tryOr(null, () => {
    const names = readdirSync(folder).filter((name) => /^\d{1,9}\.json$/.test(name));
    const inOrder = names.sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
    return names.length > MAX_TASKS ? null : inOrder;
  });
}
