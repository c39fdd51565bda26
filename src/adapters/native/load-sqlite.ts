import { createRequire } from 'node:module';

/** The part of `node:sqlite` that is used. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): {
    all(...values: unknown[]): unknown[];
    get(...values: unknown[]): unknown;
    run(...values: unknown[]): unknown;
  };
  close(): void;
}

export type OpenDatabase = new (
  path: string,
  options?: { readonly readOnly: boolean; readonly timeout?: number },
) => Database;

let loaded: Promise<OpenDatabase | null> | undefined;

/** SQLite itself: Node.js brings it from 22.5 on, before that a package does. Null where neither can be loaded. */
export function loadSqlite(): Promise<OpenDatabase | null> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<OpenDatabase | null> {
  const own = quietly(
    () =>
      process.getBuiltinModule?.('node:sqlite' as 'node:fs') as unknown as
        | { readonly DatabaseSync?: OpenDatabase }
        | undefined,
  );
  if (own?.DatabaseSync) return own.DatabaseSync;
  try {
    // Not import(): the built command runs as a script of vm, which has no loader for it.
    const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite');
    return DatabaseSync as OpenDatabase;
  } catch {
    return null;
  }
}

/** Node.js warns of its SQLite when it is loaded; nobody who runs rollcall can do anything about that. */
function quietly<T>(work: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
