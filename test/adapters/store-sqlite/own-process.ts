import { OwnProcess } from '../../support/own-process.ts';

/** Scripts find a `ledger` in the folder `args[0]`, and `entry(body)` to make drafts. */
export function prepareLedger(): Promise<OwnProcess> {
  return OwnProcess.prepare(
    ['src/adapters/store-sqlite/sqlite-ledger.ts'],
    `import fs from 'node:fs';
    import { openSqliteLedger } from './module.mjs';
    const author = { host: 'machine', bootId: 'boot', actor: { kind: 'cli', pid: process.pid, user: 'ann' } };
    const ledger = await openSqliteLedger({ folder: args[0], author, now: Date.now, busyTimeoutMs: 120_000 });
    const entry = (body) => ({ kind: 'declared', action: 'hold', session: { key: 'k', name: 'n' }, body });`,
  );
}
