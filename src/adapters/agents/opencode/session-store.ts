import { grouped } from '../../../core/grouped.ts';
import type { Database } from '../../native/load-sqlite.ts';

/** A session as its row tells. Times are what opencode's own clock said. */
export interface SessionRow {
  readonly id: string;
  readonly parent: string | null;
  readonly directory: string;
  readonly title: string;
  readonly version: string;
  readonly createdAt: number;
}

/** The last message of a session, as far as it tells whether a turn still runs. */
export interface MessageRow {
  readonly role: string;
  readonly createdAt: number;
  /** The last time that anything of it was written. */
  readonly writtenAt: number;
  readonly completedAt: number | null;
  readonly finish: string | null;
  /** The newest first; not looked at when the message is complete and asked for nothing more. */
  readonly parts: readonly {
    readonly tool: string | null;
    readonly status: string | null;
    readonly error: string | null;
  }[];
}

/** The sessions of one database. Its functions throw when the database cannot be read or has another form. */
export interface SessionStore {
  inFolder(directory: string): readonly SessionRow[];
  session(id: string): SessionRow | undefined;
  childrenOf(id: string): readonly SessionRow[];
  lastMessage(session: string): MessageRow | null;
  /** The last one of the model; younger prompts may wait behind it. */
  lastReply(session: string): MessageRow | null;
}

const MAX_SESSIONS = 20_000;
const MAX_PARTS = 200;
/** More prompts than these are not typed ahead. */
const MAX_QUEUED = 20;
const MAX_CHARACTERS = 8_000_000;

/** Throws where the database has another form. */
export function prepareStore(database: Database) {
  const statements = prepareAll(database);
  return {
    /** Changes whenever another connection has written. */
    version: () => rowOf(statements.version.get()).data_version,
    read: () => readStore(statements),
  };
}

type Statements = ReturnType<typeof prepareAll>;

// A message can carry whole files: one that is too long to look into has no role, and that is a failure.
function prepareAll(database: Database) {
  const within = `CASE WHEN length(data) <= ${MAX_CHARACTERS} THEN json_extract(data,`;
  return {
    version: database.prepare('PRAGMA data_version'),
    sessions: database.prepare(
      `SELECT id, parent_id, directory, title, version, time_created FROM session LIMIT ${MAX_SESSIONS + 1}`,
    ),
    messages: database.prepare(
      `SELECT id, time_created, time_updated, ${within} '$.role') END AS role,
         ${within} '$.time.completed') END AS completed, ${within} '$.finish') END AS finish
       FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT ?`,
    ),
    parts: database.prepare(
      `SELECT time_updated, ${within} '$.tool') END AS tool, ${within} '$.state.status') END AS status,
         substr(${within} '$.state.error') END, 1, 200) AS error
       FROM part WHERE message_id = ? ORDER BY id DESC LIMIT ${MAX_PARTS}`,
    ),
  };
}

function readStore(statements: Statements): SessionStore {
  const sessions = readSessions(statements);
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const byFolder = grouped(sessions, ({ directory }) => directory);
  const byParent = grouped(sessions, ({ parent }) => parent);
  const last = remembered((session) => readMessages(statements, session, 1)[0] ?? null);
  const replies = remembered(
    (session) =>
      readMessages(statements, session, MAX_QUEUED).find(({ role }) => role === 'assistant') ?? null,
  );
  return {
    inFolder: (directory) => byFolder.get(directory) ?? [],
    session: (id) => byId.get(id),
    childrenOf: (id) => byParent.get(id) ?? [],
    lastMessage: last,
    lastReply: replies,
  };
}

function remembered<Value>(read: (session: string) => Value): (session: string) => Value {
  const known = new Map<string, Value>();
  return (session) => {
    const value = known.has(session) ? (known.get(session) as Value) : read(session);
    known.set(session, value);
    return value;
  };
}

function readSessions(statements: Statements): SessionRow[] {
  const rows = statements.sessions.all();
  if (rows.length > MAX_SESSIONS) throw new Error(`its database holds more than ${MAX_SESSIONS} sessions`);
  return rows.map((value) => {
    const row = rowOf(value);
    return {
      id: textOf(row.id),
      parent: row.parent_id === null ? null : textOf(row.parent_id),
      directory: textOf(row.directory),
      title: textOf(row.title),
      version: textOf(row.version),
      createdAt: numberOf(row.time_created),
    };
  });
}

function readMessages(statements: Statements, session: string, count: number): MessageRow[] {
  return statements.messages.all(session, count).map((value) => {
    const row = rowOf(value);
    const isEnd = typeof row.completed === 'number' && row.finish === 'stop';
    const parts = isEnd ? [] : statements.parts.all(row.id).map(rowOf);
    return {
      role: textOf(row.role),
      createdAt: numberOf(row.time_created),
      writtenAt: Math.max(numberOf(row.time_updated), ...parts.map((part) => numberOf(part.time_updated))),
      completedAt: typeof row.completed === 'number' ? numberOf(row.completed) : null,
      finish: typeof row.finish === 'string' ? row.finish : null,
      parts: parts.map(({ tool, status, error }) => ({
        tool: typeof tool === 'string' ? tool : null,
        status: typeof status === 'string' ? status : null,
        error: typeof error === 'string' ? error : null,
      })),
    };
  });
}

function rowOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error(OTHER_FORM);
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error(OTHER_FORM);
  return value;
}

function numberOf(value: unknown): number {
  // SQLite also keeps infinite ones, and no time is before all others.
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(OTHER_FORM);
  return value;
}

const OTHER_FORM = 'its database has a form that is not known';
