import { statSync } from 'node:fs';
import type { AgentGate, StopSaid } from '../../../ports/agent.ts';
import type { OwnTodo } from '../../../ports/gate.ts';
import { asObject } from '../../files/json-object.ts';
import { type Database, loadSqlite } from '../../native/load-sqlite.ts';
import { openIn, todoOf, unknownTodo } from '../common/todo-list.ts';
import { recognises, SESSION_ID, startWords } from './command-line.ts';
import { databasePath } from './transcript.ts';

const LOCK_WAIT_MS = 100;
const MAX_ITEMS = 1000;

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

/** What is left on the list of a session, from opencode's own database, which is only read. */
async function readTodo({ conversation, env }: Parameters<AgentGate['todo']>[0]): Promise<OwnTodo> {
  let database: Database | undefined;
  try {
    const path = databasePath(env);
    if (path === undefined) return unknownTodo('where it keeps its sessions cannot be told');
    if (path === null) return unknownTodo('it keeps its sessions in memory only');
    // Without these no opencode has it open, and SQLite would have to write to read it.
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      if (!statSync(file, { throwIfNoEntry: false })?.isFile())
        return unknownTodo('no process has its database open');
    }
    const Sqlite = await loadSqlite();
    if (Sqlite === null) return unknownTodo('this Node.js cannot read SQLite databases');
    database = new Sqlite(path, { readOnly: true, timeout: LOCK_WAIT_MS });
    return readFrom(database, conversation);
  } catch (error) {
    return unknownTodo((error as Error).message);
  } finally {
    database?.close();
  }
}

function readFrom(database: Database, session: string): OwnTodo {
  if (database.prepare('SELECT id FROM session WHERE id = ?').get(session) === undefined)
    return unknownTodo('its session is not in its database');
  const rows = database
    .prepare(
      `SELECT substr(content, 1, 1000) AS content, status FROM todo WHERE session_id = ? ORDER BY position LIMIT ${MAX_ITEMS + 1}`,
    )
    .all(session);
  const open = openIn(rows, { text: 'content', closed: ['completed', 'cancelled'] });
  return open === null
    ? unknownTodo('its database has a form that is not known')
    : todoOf({ state: 'found', value: open });
}
