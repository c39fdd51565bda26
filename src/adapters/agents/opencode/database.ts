import { statSync } from 'node:fs';
import { loadSqlite, type OpenDatabase } from '../../native/load-sqlite.ts';
import { prepareStore, type SessionStore } from './session-store.ts';

/** What was last read of a database; a failure proves nothing about the sessions. */
export type StoreRead =
  | { readonly state: 'read'; readonly store: SessionStore }
  /** Nobody keeps anything in it. */
  | { readonly state: 'absent'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string };

export type OpenStore = (path: string, now: number) => Promise<StoreRead>;

const LOCK_WAIT_MS = 100;
const MIN_INTERVAL_MS = 300;
const MAX_OPEN = 32;

/**
 * Makes the reader of opencode's databases. Each is opened once, read-only, and closed when another file has replaced
 * it. Skips a database that no opencode has open: SQLite would have to write to read it.
 */
export function createOpenStore(): OpenStore {
  const open = new Map<string, Opened>();
  return async (path, now) => {
    try {
      const inode = inodeOf(path);
      const known = open.get(path);
      if (known && known.inode === inode) return { state: 'read', store: known.refresh(now) };
      known?.close();
      open.delete(path);
      if (inode === null) return { state: 'absent', text: `${path} is not there` };
      if (inodeOf(`${path}-wal`) === null || inodeOf(`${path}-shm`) === null) {
        return { state: 'absent', text: 'no process has its database open' };
      }
      const Database = await loadSqlite();
      if (Database === null) return { state: 'failed', text: 'this Node.js cannot read SQLite databases' };
      if (open.size >= MAX_OPEN) closeAll(open);
      const opened = openOne(Database, path, inode);
      open.set(path, opened);
      return { state: 'read', store: opened.refresh(now) };
    } catch (error) {
      open.get(path)?.close();
      open.delete(path);
      return { state: 'failed', text: (error as Error).message };
    }
  };
}

type Opened = ReturnType<typeof openOne>;

function openOne(Database: OpenDatabase, path: string, inode: number) {
  const database = new Database(path, { readOnly: true, timeout: LOCK_WAIT_MS });
  try {
    const prepared = prepareStore(database);
    let version: unknown;
    let checkedAt = Number.NEGATIVE_INFINITY;
    let store: SessionStore | undefined;
    return {
      inode,
      refresh(now: number): SessionStore {
        if (store && now >= checkedAt && now - checkedAt < MIN_INTERVAL_MS) return store;
        checkedAt = now;
        const seen = prepared.version();
        if (store === undefined || seen !== version) store = prepared.read();
        version = seen;
        return store;
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function inodeOf(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
  return stat.ino;
}

function closeAll(open: Map<string, Opened>): void {
  for (const { close } of open.values()) close();
  open.clear();
}
