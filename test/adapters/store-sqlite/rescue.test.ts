import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOLD, LedgerRoom } from './ledger-room.ts';

let room: LedgerRoom;
beforeEach(() => {
  room = new LedgerRoom();
});
afterEach(() => room.remove());

const PAGE = 4096;

/** Entries on the pages of others, and on pages of their own. */
async function long(): Promise<void> {
  const ledger = await room.filled(3);
  for (const length of [3000, 5000, 20_000, 60_000])
    ledger.append({ ...HOLD, body: { text: 'é'.repeat(length) } });
  for (let index = 0; index < 3; index += 1) ledger.append(HOLD);
  room = room.asFoundByAnother();
  room.tamper('SELECT 1');
  room = room.asFoundByAnother();
}

describe('S36: entries of a database that SQLite cannot read', () => {
  it('are found, also long ones', async () => {
    await long();
    const before = (await room.ledger()).read().entries;
    room = room.asFoundByAnother();
    const bytes = readFileSync(room.path);
    bytes.fill(0xaa, 0, PAGE);
    writeFileSync(room.path, bytes);
    const ledger = await room.ledger();
    expect(before).toHaveLength(10);
    expect(ledger.read()).toMatchObject({ entries: before, damage: { reason: 'unreadable', sequence: 11 } });
    expect(ledger.repair()).toMatchObject({ state: 'repaired', kept: 10 });
    expect(ledger.read().entries.slice(0, 10)).toEqual(before);
  });

  it('end with the first that is not whole any more', async () => {
    await long();
    const { size } = { size: readFileSync(room.path).length };
    truncateSync(room.path, size - 30 * PAGE);
    const { damage, count } = (await room.ledger()).verify();
    expect(damage).toMatchObject({ reason: 'unreadable', sequence: count + 1 });
    expect(count).toBeGreaterThanOrEqual(3);
    expect(count).toBeLessThan(10);
  });

  it('are those that were recorded, never one that was only begun', async () => {
    await room.filled(4);
    room = room.asFoundByAnother();
    const anchor = readFileSync(room.anchor);
    const witness = readFileSync(join(room.folder, 'witness.json'));
    await room.filled(1);
    room = room.asFoundByAnother();
    // Nothing says that the fifth was ever recorded.
    writeFileSync(room.anchor, anchor);
    writeFileSync(join(room.folder, 'witness.json'), witness);
    room.tamper('DROP TABLE entry');
    expect((await room.ledger()).verify()).toMatchObject({ count: 4, damage: { sequence: 5 } });
  });

  it('are read again after an anchor with a changed digit', async () => {
    await room.filled(9);
    room = room.asFoundByAnother();
    const text = readFileSync(room.anchor, 'utf8');
    writeFileSync(room.anchor, text.replace('"sequence":9', '"sequence":8'));
    const ledger = await room.ledger();
    expect(ledger.verify()).toMatchObject({
      count: 9,
      damage: { reason: 'anchor-unreadable', sequence: 10 },
    });
    expect(ledger.repair()).toMatchObject({ kept: 9 });
  });

  it('stay behind an anchor of 0.1.0, which has no hash of its own', async () => {
    await room.filled(2);
    room = room.asFoundByAnother();
    const { sha256: _, ...plain } = JSON.parse(readFileSync(room.anchor, 'utf8'));
    writeFileSync(room.anchor, `${JSON.stringify(plain)}\n`);
    const ledger = await room.ledger();
    expect(ledger.verify()).toMatchObject({ damage: null, count: 2 });
    expect(ledger.append(HOLD).sequence).toBe(3);
  });
});

describe('S36: tables that are not as rollcall makes them', () => {
  it('are named by verify, and made anew by a repair', async () => {
    await room.filled(3);
    room = room.asFoundByAnother();
    room.tamper("CREATE TRIGGER refuses BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'no'); END");
    const ledger = await room.ledger();
    expect(() => ledger.append(HOLD)).toThrow(expect.objectContaining({ code: 'damaged' }));
    expect(ledger.verify()).toMatchObject({ count: 3, damage: { reason: 'unreadable', sequence: 4 } });
    expect(ledger.repair()).toMatchObject({ state: 'repaired', kept: 3 });
    expect(ledger.append(HOLD).sequence).toBe(5);
  });

  it.each([0, 3, -5])('do not hide behind a version of %i', async (version) => {
    await room.filled(3);
    room = room.asFoundByAnother();
    room.tamper(`PRAGMA user_version = ${version}`);
    const ledger = await room.ledger();
    expect(() => ledger.append(HOLD)).toThrow(expect.objectContaining({ code: 'damaged' }));
    expect(ledger.verify()).toMatchObject({ count: 3, damage: { sequence: 4 } });
    expect(ledger.repair()).toMatchObject({ state: 'repaired', kept: 3 });
  });
});
