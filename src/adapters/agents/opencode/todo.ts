import { statSync } from 'node:fs';
import type { AgentGate } from '../../../ports/agent.ts';
import type { OwnTodo } from '../../../ports/gate.ts';
import { type Database, loadSqlite } from '../../native/load-sqlite.ts';
import { openIn, todoOf, unknownTodo } from '../common/todo-list.ts';
import { databasePath } from './transcript.ts';

type Stop = Parameters<AgentGate['todo']>[0];

const LOCK_WAIT_MS = 100;
const MAX_ITEMS = 1000;

/** What is left on the list of a session, from opencode's own database, which is only read. */
export async function readTodo({ conversation, env }: Stop): Promise<OwnTodo> {
  let database: Database | undefined;
  try {
    const path = databasePath({ env: () => definedOnly(env) });
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

function definedOnly(env: Stop['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
