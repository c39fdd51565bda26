import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '../../../support/sqlite.ts';
import { FOLDER, STARTED_AT } from './scene.ts';

// The tables that are read, as opencode 1.18.33 makes them.
const TABLES = `
  CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text,
    slug text NOT NULL, directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL,
    share_url text, summary_diffs text, time_created integer NOT NULL, time_updated integer NOT NULL,
    time_compacting integer, time_archived integer);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX part_message_id_id_idx ON part (message_id, id);
`;

interface SessionFields {
  readonly id: string;
  readonly parent?: string;
  readonly directory?: string;
  readonly title?: string;
  readonly at?: number;
}

interface MessageFields {
  readonly role: 'user' | 'assistant';
  readonly at: number;
  readonly completed?: number;
  readonly finish?: string;
  readonly error?: object;
  readonly tool?: { readonly name: string; readonly status: string; readonly error?: string };
}

/** A database like opencode's own, held open by a writer as opencode holds it. */
export interface DatabaseFile {
  readonly folder: string;
  readonly path: string;
  readonly writer: InstanceType<typeof DatabaseSync>;
  session(fields: SessionFields): void;
  message(session: string, fields: MessageFields): void;
  run(sql: string): void;
}

let count = 0;

/** Makes one in a folder of its own, where opencode would put it below XDG_DATA_HOME. */
export function createDatabaseFile(tables = TABLES): DatabaseFile {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-opencode-'));
  mkdirSync(join(folder, 'opencode'));
  const path = join(folder, 'opencode', 'opencode.db');
  const writer = new DatabaseSync(path);
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;');
  writer.exec(tables);
  const next = (prefix: string) => {
    count += 1;
    return `${prefix}_${String(count).padStart(8, '0')}`;
  };
  return {
    folder,
    path,
    writer,
    session({ id, parent, directory = FOLDER, title = 'Fake title', at = STARTED_AT + 1000 }) {
      writer
        .prepare(
          `INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated)
           VALUES (?, 'global', ?, 'quiet-comet', ?, ?, '1.18.33', ?, ?)`,
        )
        .run(id, parent ?? null, directory, title, at, at);
    },
    message(session, { role, at, completed, finish, error, tool }) {
      const id = next('msg');
      const data = { role, time: { created: at, ...(completed && { completed }) }, finish, error };
      writer
        .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
        .run(id, session, at, completed ?? at, JSON.stringify(data));
      if (!tool) return;
      const part = { type: 'tool', tool: tool.name, state: { status: tool.status, error: tool.error } };
      writer
        .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
        .run(next('prt'), id, session, at, at, JSON.stringify(part));
    },
    run: (sql) => writer.exec(sql),
  };
}
