import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseSync } from '../../support/sqlite.ts';
import { HOLD, LedgerRoom } from './ledger-room.ts';

let room: LedgerRoom;
beforeEach(() => {
  room = new LedgerRoom();
});
afterEach(() => room.remove());

describe('a ledger', () => {
  it('is not made by looking', async () => {
    const ledger = await room.ledger();
    expect(ledger.read()).toEqual({
      isEmpty: true,
      entries: [],
      head: { sequence: 0, hash: '0'.repeat(64) },
      damage: null,
    });
    expect(ledger.verify()).toMatchObject({ isEmpty: true, damage: null, anchor: null, path: room.path });
    expect(ledger.repair()).toEqual({ state: 'intact' });
    expect(readdirSync(room.folder)).toEqual([]);
  });

  it('gives back what was recorded, in order and chained', async () => {
    const ledger = await room.ledger({ now: () => 5000 });
    const intent = ledger.append({
      kind: 'intent',
      action: 'close',
      session: { key: 'k', name: 'naïve 🚀' },
    });
    const outcome = ledger.append({
      ...{ kind: 'outcome', action: 'close', session: { key: 'k', name: 'naïve 🚀' }, cause: 1 },
      body: { result: 'done', rungs: [{ name: 'exit', ms: 1.5 }], odd: '\u0000\ud800' },
      actor: { kind: 'daemon', pid: 9, user: 'bob' },
    });
    expect(intent).toMatchObject({ sequence: 1, at: 5000, host: 'machine', bootId: 'boot', cause: null });
    expect(outcome).toMatchObject({ sequence: 2, previous: intent.hash, actor: { kind: 'daemon' } });
    const again = await room.ledger();
    expect(again.read()).toEqual({
      ...{ isEmpty: false, entries: [intent, outcome], damage: null },
      head: { sequence: 2, hash: outcome.hash },
    });
    expect(again.verify()).toMatchObject({ damage: null, anchor: { sequence: 2, hash: outcome.hash } });
  });

  it('is readable by its owner only', async () => {
    await room.filled(1);
    for (const name of readdirSync(room.folder)) {
      expect([name, lstatSync(join(room.folder, name)).mode & 0o077]).toEqual([name, 0]);
    }
  });

  it('lies in a write-ahead log, so that readers and writers do not wait for each other', async () => {
    await room.filled(1);
    const database = new DatabaseSync(room.path);
    expect(database.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' });
    database.close();
  });

  it('lets nobody change, remove, replace or squeeze in an entry by ordinary means', async () => {
    await room.filled(3);
    const database = new DatabaseSync(room.path);
    const row = (sequence: number) =>
      `SELECT ${sequence}, at, host, boot_id, actor_kind, actor_pid, actor_user, kind, action, session_key, session_name, cause, body, previous, hash || 'x' FROM entry WHERE sequence = 2`;
    expect(() => database.exec("UPDATE entry SET action = 'x'")).toThrow('never changed');
    expect(() => database.exec('DELETE FROM entry')).toThrow('never removed');
    expect(() => database.exec(`INSERT OR REPLACE INTO entry ${row(2)}`)).toThrow('follows the last');
    expect(() => database.exec(`INSERT INTO entry ${row(5)}`)).toThrow('follows the last');
    expect(() => database.exec(`INSERT INTO entry ${row(4)}`)).toThrow('follows the last');
    database.close();
    expect((await room.ledger()).verify()).toMatchObject({ damage: null, count: 3 });
  });

  it('gives an intent one outcome, and an outcome an intent', async () => {
    const ledger = await room.ledger();
    ledger.append({ ...HOLD, kind: 'intent' });
    ledger.append({ ...HOLD, kind: 'outcome', cause: 1 });
    expect(() => ledger.append({ ...HOLD, kind: 'outcome', cause: 1 })).toThrow('has its outcome already');
    expect(() => ledger.append({ ...HOLD, kind: 'outcome', cause: 2 })).toThrow('entry 2 is not an intent');
    expect(() => ledger.append({ ...HOLD, kind: 'receipt', cause: 9 })).toThrow('entry 9 is not an intent');
    expect(() => ledger.append({ ...HOLD, kind: 'outcome' })).toThrow('an outcome names its intent');
    expect(ledger.append({ ...HOLD, kind: 'receipt', cause: 1 }).sequence).toBe(3);
    expect(ledger.verify()).toMatchObject({ damage: null, count: 3 });
  });

  it('refuses an invalid entry before it makes a ledger of it', async () => {
    const ledger = await room.ledger();
    expect(() => ledger.append({ ...HOLD, action: 'no word' })).toThrow(
      expect.objectContaining({ code: 'invalid' }),
    );
    expect(ledger.read().isEmpty).toBe(true);
  });

  it('is read since a time, about a session, and on from an entry', async () => {
    let now = 0;
    const ledger = await room.ledger({ now: () => ++now });
    const first = ledger.append(HOLD);
    ledger.append({ ...HOLD, session: { key: 'other', name: 'other' } });
    const third = ledger.append(HOLD);
    const numbers = (selection: Parameters<typeof ledger.read>[0]) =>
      ledger.read(selection).entries.map(({ sequence }) => sequence);
    expect(numbers({ since: 2 })).toEqual([2, 3]);
    expect(numbers({ about: 'build' })).toEqual([1, 3]);
    expect(numbers({ about: 'other', since: 3 })).toEqual([]);
    expect(numbers({ after: first })).toEqual([2, 3]);
    expect(numbers({ after: third })).toEqual([]);
    expect(ledger.read({ about: 'nobody' }).head).toEqual({ sequence: 3, hash: third.hash });
  });

  it('notices, reading on, that the entry it stood at is another or gone', async () => {
    const ledger = await room.filled(3);
    const { head } = ledger.read();
    expect(ledger.read({ after: { ...head, hash: 'f'.repeat(64) } }).damage).toMatchObject({
      reason: 'changed',
    });
    expect(ledger.read({ after: { ...head, sequence: 9 } }).damage).toMatchObject({ reason: 'cut-off' });
  });

  it('writes nothing to read, whether a process has it open or not', async () => {
    const writer = await room.filled(2);
    const reader = await room.ledger();
    const names = () => readdirSync(room.folder).sort();
    const bytes = () =>
      [room.path, `${room.path}-wal`, room.anchor].map((path) => existsSync(path) && readFileSync(path));
    const before = [names(), bytes()];
    reader.read();
    reader.verify();
    expect([names(), bytes()]).toEqual(before);
    writer.close();
    // As it lies after the last process closed it: without a journal beside it.
    room.tamper('SELECT 1');
    for (const end of ['-wal', '-shm']) rmSync(`${room.path}${end}`, { force: true });
    const closed = [names(), bytes()];
    expect(reader.verify()).toMatchObject({ damage: null, count: 2 });
    expect([names(), bytes()]).toEqual(closed);
  });

  it('sees at once what another has recorded, however often it looked before', async () => {
    const writer = await room.filled(1);
    const reader = await room.ledger();
    let { head } = reader.read();
    for (let round = 0; round < 60; round += 1) {
      expect(reader.read({ after: head }).entries).toEqual([]);
      const entry = writer.append(HOLD);
      const reading = reader.read({ after: head });
      expect(reading).toMatchObject({ entries: [entry], damage: null });
      head = reading.head;
    }
  });

  it('may be closed and used again', async () => {
    const ledger = await room.filled(1);
    ledger.close();
    ledger.close();
    expect(ledger.append(HOLD).sequence).toBe(2);
  });

  it.each([
    ['a link', () => symlinkSync('/etc/hostname', room.path)],
    ['a folder', () => mkdirSync(room.path)],
  ])('refuses %s in place of its database', async (_, put) => {
    writeFileSync(
      room.anchor,
      `${JSON.stringify({ file: 'ledger.db', sequence: 0, hash: '0'.repeat(64) })}\n`,
    );
    put();
    const ledger = await room.ledger();
    const refusal = expect.objectContaining({
      code: 'unavailable',
      message: expect.stringContaining('regular'),
    });
    expect(() => ledger.append(HOLD)).toThrow(refusal);
    expect(() => ledger.read()).toThrow(refusal);
  });
});
