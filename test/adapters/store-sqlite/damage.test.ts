import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerDamage } from '../../../src/core/ledger/verify-chain.ts';
import { DatabaseSync } from '../../support/sqlite.ts';
import { HOLD, LedgerRoom } from './ledger-room.ts';

let room: LedgerRoom;
beforeEach(() => {
  room = new LedgerRoom();
});
afterEach(() => room.remove());

const COLUMNS =
  'at, host, boot_id, actor_kind, actor_pid, actor_user, kind, action, session_key, session_name, cause';

/** What was done, with how many of 8 entries before the damage, and whether an append meets it too. */
const DAMAGES: [string, (room: LedgerRoom) => void, Partial<LedgerDamage>, 'refuses' | 'goes on'][] = [
  [
    'an entry that was changed',
    (at) => at.tamper("UPDATE entry SET session_name = 'other' WHERE sequence = 5"),
    { reason: 'changed', sequence: 5 },
    'goes on',
  ],
  [
    'a last entry that was changed',
    (at) => at.tamper("UPDATE entry SET body = '{}' WHERE sequence = 8"),
    { reason: 'changed', sequence: 8 },
    'refuses',
  ],
  [
    'a body in another form that means the same',
    (at) => at.tamper(`UPDATE entry SET body = '{"index": 5}' WHERE sequence = 5`),
    { reason: 'changed', sequence: 5, text: expect.stringContaining('the body of entry 5') },
    'goes on',
  ],
  [
    'a body that is not JSON',
    (at) => at.tamper("UPDATE entry SET body = 'oops' WHERE sequence = 5"),
    { reason: 'changed', sequence: 5 },
    'goes on',
  ],
  [
    'an entry that was removed',
    (at) => at.tamper('DELETE FROM entry WHERE sequence = 5'),
    { reason: 'missing', sequence: 5 },
    'goes on',
  ],
  [
    'entries that changed places',
    (at) =>
      at.tamper(
        'UPDATE entry SET sequence = -1 WHERE sequence = 5; UPDATE entry SET sequence = 5 WHERE sequence = 6; UPDATE entry SET sequence = 6 WHERE sequence = -1',
      ),
    { reason: 'reordered', sequence: 5 },
    'goes on',
  ],
  [
    'an entry that was added without a seal',
    (at) =>
      at.tamper(
        `INSERT INTO entry SELECT 9, ${COLUMNS}, body, previous, hash || '0' FROM entry WHERE sequence = 5`,
      ),
    { reason: 'changed', sequence: 9 },
    'refuses',
  ],
  [
    'an end that was cut off',
    (at) => at.tamper('DELETE FROM entry WHERE sequence > 6'),
    { reason: 'cut-off', sequence: 7 },
    'refuses',
  ],
  [
    'a ledger that was emptied',
    (at) => at.tamper('DELETE FROM entry'),
    {
      reason: 'cut-off',
      sequence: 9,
      text: expect.stringContaining('entries 1 to 8 were found in its files'),
    },
    'refuses',
  ],
  [
    'a table that was dropped',
    (at) => at.tamper('DROP TABLE entry'),
    { reason: 'unreadable', sequence: 9 },
    'refuses',
  ],
  [
    'a database that was replaced by an empty file',
    (at) => {
      removeDatabase(at);
      writeFileSync(at.path, '');
    },
    { reason: 'cut-off', sequence: 1 },
    'refuses',
  ],
  [
    'a database that is gone',
    (at) => removeDatabase(at),
    { reason: 'database-missing', sequence: 1, text: 'ledger.db, which held 8 entries or more, is gone' },
    'refuses',
  ],
  [
    'a file that is no database',
    (at) => {
      removeDatabase(at);
      writeFileSync(at.path, 'garbage '.repeat(4000));
    },
    { reason: 'unreadable', sequence: 1, text: expect.stringContaining('not a database') },
    'refuses',
  ],
  [
    'a file that was truncated',
    (at) => {
      at.tamper('SELECT 1');
      rmJournal(at);
      truncateSync(at.path, 6000);
    },
    { reason: 'unreadable' },
    'refuses',
  ],
  ['an anchor that is gone', (at) => rmSync(at.anchor), { reason: 'anchor-missing', sequence: 9 }, 'refuses'],
  [
    'an anchor that holds something else',
    (at) => writeFileSync(at.anchor, `{"file":"../x.db","sequence":8,"hash":"${'0'.repeat(64)}"}`),
    { reason: 'anchor-unreadable', sequence: 9 },
    'refuses',
  ],
];

function rmJournal({ path }: LedgerRoom): void {
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}

function removeDatabase(at: LedgerRoom): void {
  rmJournal(at);
  rmSync(at.path);
}

describe('S36: a damaged ledger', () => {
  it.each(DAMAGES)(
    'with %s says so, keeps what comes before, and takes nothing on top',
    async (_, damage, expected, append) => {
      const writer = await room.filled(8);
      const whole = writer.read().entries;
      room = room.asFoundByAnother();
      damage(room);
      const ledger = await room.ledger();
      const check = ledger.verify();
      expect(check.damage).toMatchObject(expected);
      expect(check.isEmpty).toBe(false);
      const reliable = whole.slice(0, (check.damage?.sequence ?? 0) - 1);
      expect(check.count).toBe(reliable.length);
      expect(ledger.read()).toMatchObject({ damage: expected, entries: reliable });
      const names = readdirSync(room.folder);
      const bytes = existsSync(room.path) && readFileSync(room.path);
      // An append looks at the end of the chain only; what it cannot see there, reading does.
      if (append === 'refuses') {
        expect(() => ledger.append(HOLD)).toThrow(
          expect.objectContaining({ code: 'damaged', hint: 'run: rollcall verify' }),
        );
        expect(existsSync(room.path) && readFileSync(room.path)).toEqual(bytes);
        expect(ledger.verify().damage).toMatchObject(expected);
      } else {
        ledger.append(HOLD);
        expect(ledger.verify().damage).toMatchObject(expected);
      }
      expect(readdirSync(room.folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(
        names.filter((name) => !/-(wal|shm)$/.test(name)),
      );
    },
  );

  it.each(DAMAGES)(
    'with %s is repaired only on request: a new database goes on where the good part ends',
    async (_, damage) => {
      await room.filled(8);
      room = room.asFoundByAnother();
      damage(room);
      const ledger = await room.ledger();
      const before = { ...ledger.verify(), ...ledger.read() };
      const left = existsSync(room.path) ? readFileSync(room.path) : null;
      expect(ledger.repair()).toEqual({
        ...{ state: 'repaired', damage: before.damage, kept: before.entries.length },
        ...{ leftPath: room.path, path: join(room.folder, 'ledger.2.db') },
      });
      const after = { ...ledger.verify(), ...ledger.read() };
      expect(after).toMatchObject({ damage: null, path: join(room.folder, 'ledger.2.db') });
      expect(after.entries.slice(0, -1)).toEqual(before.entries);
      expect(after.entries.at(-1)).toMatchObject({
        kind: 'note',
        action: 'repair',
        previous: before.head.hash,
        body: {
          left: 'ledger.db',
          sequence: before.head.sequence,
          hash: before.head.hash,
          ...(before.damage && { reason: before.damage.reason }),
        },
      });
      expect(after.anchor).toEqual(after.head);
      expect(existsSync(room.path) ? readFileSync(room.path) : null).toEqual(left);
      expect(ledger.append(HOLD).sequence).toBe(after.head.sequence + 1);
      expect(ledger.repair()).toEqual({ state: 'intact' });
    },
  );

  it('with a bad page keeps every entry before it', async () => {
    const writer = await room.filled(0);
    for (let index = 0; index < 60; index += 1) writer.append({ ...HOLD, body: { text: 'x'.repeat(2000) } });
    room = room.asFoundByAnother();
    room.tamper('SELECT 1');
    rmJournal(room);
    const bytes = readFileSync(room.path);
    // A page of entries in the middle of the file.
    const page = 4096 * Math.floor(bytes.length / 4096 / 2);
    bytes.fill(0xaa, page, page + 4096);
    writeFileSync(room.path, bytes);
    const check = (await room.ledger()).verify();
    expect(check.damage?.reason).toMatch(/unreadable|changed/);
    expect(check.count).toBeGreaterThan(3);
    expect(check.count).toBeLessThan(60);
    expect(check.head.sequence).toBe(check.count);
    expect(check.damage?.sequence).toBe(check.count + 1);
  });

  it('in an index only is found by verify, although every entry can be read', async () => {
    await room.filled(8);
    room = room.asFoundByAnother();
    room.tamper('SELECT 1');
    const database = new DatabaseSync(room.path, { readOnly: true });
    const { rootpage } = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_entry_1'")
      .get() as { rootpage: number };
    database.close();
    room = room.asFoundByAnother();
    const bytes = readFileSync(room.path);
    // The last byte of a page is the end of a key.
    bytes[rootpage * 4096 - 1] = 0x21;
    writeFileSync(room.path, bytes);
    const check = (await room.ledger()).verify();
    expect(check).toMatchObject({ count: 8, damage: { reason: 'unreadable', sequence: 9 } });
  });

  it('is not mistaken for a crash between an entry and its anchor', async () => {
    const ledger = await room.filled(3);
    const old = readFileSync(room.anchor);
    ledger.append(HOLD);
    ledger.append(HOLD);
    writeFileSync(room.anchor, old);
    expect(ledger.verify()).toMatchObject({ damage: null, head: { sequence: 5 }, anchor: { sequence: 3 } });
    ledger.append(HOLD);
    expect(ledger.verify()).toMatchObject({ damage: null, anchor: { sequence: 6 } });
  });

  it('is told to a process that has it open too, and that process goes on in the repaired one', async () => {
    const ledger = await room.filled(4);
    room.tamper("UPDATE entry SET action = 'x' WHERE sequence = 4");
    expect(() => ledger.append(HOLD)).toThrow(expect.objectContaining({ code: 'damaged' }));
    expect((await room.ledger()).repair()).toMatchObject({ state: 'repaired', kept: 3 });
    expect(ledger.append(HOLD).sequence).toBe(5);
    expect(ledger.verify()).toMatchObject({ damage: null, path: join(room.folder, 'ledger.2.db') });
  });

  it('whose database is exchanged for an older copy is noticed', async () => {
    await room.filled(3);
    room = room.asFoundByAnother();
    room.tamper('SELECT 1');
    const older = readFileSync(room.path);
    await room.filled(1);
    room = room.asFoundByAnother();
    removeDatabase(room);
    writeFileSync(room.path, older);
    const ledger = await room.ledger();
    expect(ledger.verify().damage).toMatchObject({ reason: 'cut-off', sequence: 4 });
    expect(() => ledger.append(HOLD)).toThrow('entry 4 is missing at the end');
  });

  it('that is taken away while it is in use takes no entry into nowhere', async () => {
    const ledger = await room.filled(2);
    removeDatabase(room);
    expect(() => ledger.append(HOLD)).toThrow(expect.objectContaining({ code: 'damaged' }));
    expect(existsSync(room.path)).toBe(false);
  });

  it('may be damaged and repaired again', async () => {
    const ledger = await room.filled(3);
    ledger.close();
    rmSync(room.anchor);
    expect(ledger.repair()).toMatchObject({ state: 'repaired', kept: 3 });
    rmSync(room.anchor);
    expect(ledger.verify()).toMatchObject({
      damage: { reason: 'anchor-missing' },
      path: join(room.folder, 'ledger.2.db'),
    });
    expect(ledger.repair()).toMatchObject({ kept: 4, path: join(room.folder, 'ledger.3.db') });
    expect(ledger.verify()).toMatchObject({ damage: null, count: 5 });
  });
});

describe('S36: a ledger that is held by another process', () => {
  it('fails in time, with nothing recorded, and works again after', async () => {
    const ledger = await room.filled(1, { busyTimeoutMs: 50 });
    const other = new DatabaseSync(room.path);
    other.exec('BEGIN IMMEDIATE');
    expect(() => ledger.append(HOLD)).toThrow(expect.objectContaining({ code: 'locked' }));
    expect(ledger.verify()).toMatchObject({ damage: null, count: 1 });
    other.exec('ROLLBACK');
    other.close();
    expect(ledger.append(HOLD).sequence).toBe(2);
    expect(statSync(room.path).size).toBeGreaterThan(0);
  });

  it('is not repaired under the hands of that process', async () => {
    await room.filled(3);
    room = room.asFoundByAnother();
    room.tamper("UPDATE entry SET action = 'x' WHERE sequence = 2");
    const other = new DatabaseSync(room.path);
    other.exec('BEGIN IMMEDIATE');
    const ledger = await room.ledger({ busyTimeoutMs: 50 });
    expect(() => ledger.repair()).toThrow(expect.objectContaining({ code: 'locked' }));
    other.exec('ROLLBACK');
    other.close();
    expect(ledger.repair()).toMatchObject({ state: 'repaired', kept: 1 });
  });
});
