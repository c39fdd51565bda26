import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ConversationClues } from '../../../core/conversation/clues.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AgentConversations } from '../../../ports/agent.ts';
import { type Database, loadSqlite } from '../../native/load-sqlite.ts';
import { databasePath } from './transcript.ts';

const LOCK_WAIT_MS = 1000;

/** A session in its database, which holds those of all folders: no file is its own, and opencode deletes none by itself. */
export const conversations: AgentConversations = {
  folder(clues) {
    const path = pathOf(clues);
    return path === null ? null : dirname(path);
  },
  async read(clues) {
    const path = pathOf(clues);
    const lacks =
      path === null ? 'where opencode keeps it cannot be told' : await lacksIn(path, clues.conversation);
    return { lacks, files: [], deletedAt: null };
  },
};

function pathOf({ transcript, env }: ConversationClues): string | null {
  return transcript ?? databasePath(env) ?? null;
}

async function lacksIn(path: string, session: string): Promise<string | null> {
  try {
    if (!isThere(path)) return visible(`${path} is not there`, 300);
    const OpenDatabase = await loadSqlite();
    if (OpenDatabase === null) return 'this Node.js cannot read SQLite databases';
    const database = new OpenDatabase(readable(path), { readOnly: true, timeout: LOCK_WAIT_MS });
    try {
      return lacksOf(database, session, visible(path, 300));
    } finally {
      database.close();
    }
  } catch (error) {
    return visible(`${path}: ${(error as Error).message}`, 300);
  }
}

// Where nobody has it open nothing lies beside it, and SQLite would have to write there to read it.
function readable(path: string): string {
  return isThere(`${path}-wal`)
    ? path
    : `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`;
}

function lacksOf(database: Database, session: string, shown: string): string | null {
  if (database.prepare('SELECT id FROM session WHERE id = ?').get(session) === undefined) {
    return `it is not in ${shown}`;
  }
  const message = database.prepare('SELECT data FROM message WHERE session_id = ? LIMIT 1').get(session);
  return message === undefined ? `nothing was said in it, says ${shown}` : null;
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
