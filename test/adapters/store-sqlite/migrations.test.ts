import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/adapters/native/load-sqlite.ts';
import { MIGRATIONS } from '../../../src/adapters/store-sqlite/schema.ts';
import { DatabaseSync } from '../../support/sqlite.ts';
import { HOLD, LedgerRoom } from './ledger-room.ts';

let room: LedgerRoom;
beforeEach(() => {
  room = new LedgerRoom();
});
afterEach(() => room.remove());

const LATER = [...MIGRATIONS, (database: Database) => database.exec('CREATE TABLE later (a INTEGER) STRICT')];

function versionNow(): unknown {
  const database = new DatabaseSync(room.path, { readOnly: true });
  const version = database.prepare('PRAGMA user_version').get() as { user_version: number };
  database.close();
  return version.user_version;
}

describe('the format of the ledger', () => {
  const versions = MIGRATIONS.map((_, index) => index + 1);

  it.each(versions)('of version %i is brought up to date, with every entry', async (version) => {
    const old = await room.filled(3, { migrations: MIGRATIONS.slice(0, version) });
    const before = old.read();
    old.close();
    expect(versionNow()).toBe(version);
    const current = await room.ledger({ migrations: LATER });
    expect(current.read()).toEqual(before);
    expect(versionNow()).toBe(version);
    const entry = current.append(HOLD);
    expect(versionNow()).toBe(LATER.length);
    expect(current.verify()).toMatchObject({ damage: null, count: 4 });
    expect(current.read().entries).toEqual([...before.entries, entry]);
  });

  it('that a later rollcall made is refused, for reading and for writing, and stays as it is', async () => {
    const later = await room.filled(1, { migrations: LATER });
    later.close();
    const ledger = await room.ledger();
    const refusal = expect.objectContaining({
      code: 'newer',
      message: expect.stringContaining('it has format 2, this one knows 1'),
      hint: 'update rollcall',
    });
    for (const use of [
      () => ledger.append(HOLD),
      () => ledger.read(),
      () => ledger.verify(),
      () => ledger.repair(),
    ]) {
      expect(use).toThrow(refusal);
    }
    expect((await room.ledger({ migrations: LATER })).verify()).toMatchObject({
      damage: null,
      count: 1,
    });
  });

  it('is changed wholly or not at all', async () => {
    await room.filled(1);
    const failing = [
      ...LATER,
      () => {
        throw new Error('no room for the next format');
      },
    ];
    const ledger = await room.ledger({ migrations: failing });
    expect(() => ledger.append(HOLD)).toThrow('no room for the next format');
    expect(versionNow()).toBe(1);
    expect((await room.ledger()).append(HOLD).sequence).toBe(2);
  });

  it('is brought up to date once, when several processes begin at the same time', async () => {
    const old = await room.filled(1);
    const one = await room.ledger({ migrations: LATER });
    const two = await room.ledger({ migrations: LATER });
    expect([one.append(HOLD).sequence, two.append(HOLD).sequence]).toEqual([2, 3]);
    // One that was started before the update and goes on.
    expect(() => old.append(HOLD)).toThrow(expect.objectContaining({ code: 'newer' }));
  });
});
