import type { DatabaseSync as Packaged } from '@photostructure/sqlite';
import { loadSqlite } from '../../src/adapters/native/load-sqlite.ts';

/**
 * The SQLite that rollcall has here: with another in the same process no lock would keep the one from the other, since the kernel
 * locks for processes.
 */
export const DatabaseSync = (await loadSqlite()) as unknown as typeof Packaged;
export type DatabaseSync = InstanceType<typeof Packaged>;
