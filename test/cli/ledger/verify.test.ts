import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../../src/compose/ledger.ts';
import { verifyDocumentSchema } from '../../../src/contract/ledger-schemas.ts';
import { HOLD, LedgerRoom } from '../../adapters/store-sqlite/ledger-room.ts';
import { run } from '../fake-outside.ts';
import { NOW } from '../render/samples.ts';

let room: LedgerRoom;
beforeEach(() => {
  room = new LedgerRoom();
});
afterEach(() => room.remove());

const open = () => room.ledger({ now: () => NOW - 3_600_000 });
const verify = (...argv: string[]) => run(['verify', ...argv], { ledger: open });
const documentOf = (text: string) => v.parse(verifyDocumentSchema, JSON.parse(text));

describe('rollcall verify', () => {
  it('finds an empty ledger whole, and makes none', async () => {
    expect(await verify()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('empty') });
    expect(documentOf((await verify('--json')).stdout)).toMatchObject({
      state: 'empty',
      entries: 0,
      damage: null,
    });
    expect(readdirSync(room.folder)).toEqual([]);
  });

  it('says how many entries there are and since when', async () => {
    const ledger = await open();
    ledger.append({ ...HOLD, kind: 'intent' });
    ledger.append(HOLD);
    const { exitCode, stdout } = await verify();
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`intact: 2 entries, since ${new Date(NOW - 3_600_000).toISOString()} (1h ago)`);
    expect(stdout).toContain('1 intent without an outcome');
    expect(documentOf((await verify('--json')).stdout)).toMatchObject({
      ...{ state: 'intact', entries: 2, firstAt: NOW - 3_600_000, anchoredTo: 2, openIntents: [1] },
      ...{ head: { sequence: 2 }, damage: null, repairs: [], repaired: null, path: room.path },
    });
  });

  it('S36: exits with 1 on damage, says where, what and what to do, and changes nothing', async () => {
    await room.filled(4);
    room = room.asFoundByAnother();
    room.tamper("UPDATE entry SET action = 'x' WHERE sequence = 3");
    const before = readdirSync(room.folder);
    const { exitCode, stdout } = await verify();
    expect(exitCode).toBe(1);
    expect(stdout).toContain('the ledger is damaged at entry 3 (changed): entry 3 was changed');
    expect(stdout).toContain('rollcall verify --repair');
    expect(stdout).toContain('2 entries');
    const json = await verify('--json');
    expect(json.exitCode).toBe(1);
    expect(documentOf(json.stdout)).toMatchObject({ state: 'damaged', entries: 2, damage: { sequence: 3 } });
    expect(readdirSync(room.folder)).toEqual(before);
  });

  it('repairs on request, and does not forget it', async () => {
    await room.filled(4);
    room = room.asFoundByAnother();
    room.tamper("UPDATE entry SET action = 'x' WHERE sequence = 3");
    const repaired = await verify('--repair', '--json');
    expect(repaired.exitCode).toBe(0);
    expect(documentOf(repaired.stdout)).toMatchObject({
      ...{ state: 'intact', entries: 3, path: join(room.folder, 'ledger.2.db') },
      repaired: { kept: 2, leftPath: room.path, damage: { sequence: 3 } },
      repairs: [{ sequence: 2, left: 'ledger.db' }],
    });
    const again = await verify('--repair');
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain('Nothing is damaged, and nothing was changed.');
    expect(again.stdout).toContain('what came after entry 2 was left in ledger.db');
  });

  it('tells in words what a repair did', async () => {
    await room.filled(2);
    room = room.asFoundByAnother();
    rmSync(room.anchor);
    const { exitCode, stdout } = await verify('--repair');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`repaired: 2 entries carried over to ${room.folder}/ledger.2.db`);
  });

  it('says when a loss of the last entries would not be noticed yet', async () => {
    const ledger = await room.filled(2);
    const { readFileSync, writeFileSync } = await import('node:fs');
    const old = readFileSync(room.anchor);
    ledger.append(HOLD);
    writeFileSync(room.anchor, old);
    const { exitCode, stdout } = await verify();
    expect(exitCode).toBe(0);
    expect(stdout).toContain('the loss of the last 1 entry would not be noticed');
  });
});

describe('the ledger of a user', () => {
  it('lies in the state folder and names this process', async () => {
    const ledger = await openLedger({ XDG_STATE_HOME: room.folder }, 'cli');
    const entry = ledger.append(HOLD);
    ledger.close();
    expect(entry).toMatchObject({ sequence: 1, actor: { kind: 'cli', pid: process.pid } });
    expect(entry.host).not.toBe('');
    expect(entry.bootId).not.toBe('');
    expect(readdirSync(join(room.folder, 'rollcall'))).toContain('ledger.db');
  });

  it('is refused where there is no folder for it', async () => {
    await expect(openLedger({}, 'cli')).rejects.toMatchObject({ name: 'LedgerError', code: 'unavailable' });
  });
});
