import { createHash } from 'node:crypto';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDeclaredFacts, type KnownFacts } from '../../../src/adapters/declared/declared-facts.ts';
import { ledgerMark } from '../../../src/adapters/store-sqlite/ledger-mark.ts';
import { openSqliteLedger } from '../../../src/adapters/store-sqlite/sqlite-ledger.ts';
import { factsFileIn } from '../../../src/compose/ledger.ts';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { EntryDraft } from '../../../src/core/ledger/entry.ts';
import { MAX_SETTLED } from '../../../src/core/ledger/settled.ts';
import type { OwnProcess } from '../../support/own-process.ts';
import { until } from '../../support/until.ts';
import { AUTHOR, LedgerRoom } from '../store-sqlite/ledger-room.ts';
import { prepareLedger } from '../store-sqlite/own-process.ts';

const HOST = { machineId: AUTHOR.host, bootId: AUTHOR.bootId };
const DAY = 24 * 3_600_000;
let room: LedgerRoom;
let opened: number;
beforeEach(() => {
  room = new LedgerRoom();
  opened = 0;
});
afterEach(() => room.remove());

/** As a new process would make it. */
function factsIn(folder: string, options: { onRead?: () => void; bootId?: string } = {}): KnownFacts {
  const { bootId = AUTHOR.bootId } = options;
  const checkpoint = factsFileIn(folder);
  return createDeclaredFacts({
    mark: () => ledgerMark(folder),
    checkpoint,
    host: () => ({ ...HOST, bootId }),
    async openLedger() {
      opened += 1;
      const ledger = await openSqliteLedger({
        ...{ folder, author: { ...AUTHOR, bootId }, now: Date.now, checkpoint },
      });
      return {
        facts() {
          const reading = ledger.facts();
          options.onRead?.();
          return reading;
        },
      };
    },
  });
}

const session = (key: string) => ({ key, name: `name of ${key}` });
const hold = (key: string, reason = 'mine'): EntryDraft => ({
  ...{ kind: 'declared', action: 'hold', session: session(key), body: { reason } },
});

async function read(facts: KnownFacts): Promise<ReadonlyMap<string, SessionFacts>> {
  const reading = await facts.current();
  if (reading.state === 'failed') throw new Error(reading.text);
  return reading.facts;
}
const resealed = (content: object) => ({
  sha256: createHash('sha256').update(JSON.stringify(content)).digest('hex'),
  content,
});
const settled = () => until('the files are old enough', () => ledgerMark(room.folder).isSettled);
const cachePath = () => join(room.folder, 'facts.json');

describe('what was declared', () => {
  it('is nothing, at no cost, where there is no ledger', async () => {
    const facts = factsIn(room.folder);
    expect(facts.current()).toMatchObject({ state: 'read', facts: new Map() });
    expect([opened, facts.known().size]).toEqual([0, 0]);
  });

  it('is read once, and then known by this process and the next without opening anything', async () => {
    const ledger = await room.ledger();
    ledger.append(hold('a'));
    await settled();
    const facts = factsIn(room.folder);
    const first = await read(facts);
    expect(first.get('a')).toMatchObject({ held: { reason: 'mine' } });
    expect(facts.known()).toBe(first);
    // The same objects, at once and without a promise.
    expect(facts.current()).toMatchObject({ state: 'read', facts: first });
    expect((await read(facts)).get('a')).toBe(first.get('a'));
    expect(await read(factsIn(room.folder))).toEqual(first);
    expect(opened).toBe(1);
  });

  it('is read again when something was recorded, and only what came since', async () => {
    const ledger = await room.ledger();
    for (const key of ['a', 'b', 'c']) ledger.append(hold(key));
    await settled();
    const facts = factsIn(room.folder);
    await read(facts);
    ledger.append({ kind: 'declared', action: 'unhold', session: session('a') });
    const now = await read(facts);
    expect([now.get('a')?.held, now.get('b')?.held?.reason]).toEqual([null, 'mine']);
    // A process that starts here builds on what the other one left.
    ledger.append(hold('d'));
    const other = await read(factsIn(room.folder));
    expect([...other.keys()]).toEqual(['a', 'b', 'c', 'd']);
    expect(other.get('a')?.held).toBeNull();
  });

  it('is not taken from what an older version folded, which knew of less', async () => {
    (await room.ledger()).append(hold('a'));
    await settled();
    const first = await read(factsIn(room.folder));
    const cached = JSON.parse(readFileSync(cachePath(), 'utf8'));
    const { content } = cached;
    writeFileSync(
      cachePath(),
      JSON.stringify(resealed({ ...content, format: content.format - 1, facts: [] })),
    );
    expect(await read(factsIn(room.folder))).toEqual(first);
  });

  it('comes from an intent that was read long before its outcome', async () => {
    const ledger = await room.ledger();
    const claims = { task: 't1' };
    const named = { key: null, name: 'x' };
    ledger.append({ kind: 'intent', action: 'run', session: named, body: { claims } });
    await settled();
    await read(factsIn(room.folder));
    ledger.append({
      kind: 'outcome',
      action: 'run',
      session: session('a'),
      cause: 1,
      body: { result: 'done' },
    });
    const facts = await read(factsIn(room.folder));
    expect(facts.get('a')).toMatchObject({ origin: { how: 'started' }, claims });
  });

  it('never hides what was recorded an instant after it was read', async () => {
    const ledger = await room.ledger();
    const facts = factsIn(room.folder);
    for (let index = 0; index < 50; index += 1) {
      ledger.append(hold('a', `reason ${index}`));
      expect((await read(facts)).get('a')?.held?.reason).toBe(`reason ${index}`);
      expect((await read(factsIn(room.folder))).get('a')?.held?.reason).toBe(`reason ${index}`);
    }
  });

  it('is not believed of files that are younger than the steps in which their time is counted', async () => {
    const ledger = await room.ledger();
    ledger.append(hold('a'));
    const facts = factsIn(room.folder);
    await read(facts);
    if (!ledgerMark(room.folder).isSettled)
      expect(JSON.parse(readFileSync(cachePath(), 'utf8')).content.mark).toBeNull();
    await settled();
    await read(facts);
    expect(JSON.parse(readFileSync(cachePath(), 'utf8')).content.mark).toBe(ledgerMark(room.folder).text);
  });

  it('sees a file that was put in place of another with the same size and time', async () => {
    const ledger = await room.ledger();
    ledger.append(hold('a'));
    await settled();
    const time = new Date(Date.now() - DAY);
    utimesSync(room.anchor, time, time);
    const before = ledgerMark(room.folder).text;
    const copy = join(room.folder, 'copy');
    copyFileSync(room.anchor, copy);
    utimesSync(copy, time, time);
    renameSync(copy, room.anchor);
    expect(ledgerMark(room.folder).text).not.toBe(before);
  });

  it('forgets sessions that were closed long ago, and none that are expected', async () => {
    const ledger = await room.ledger();
    ledger.append({ kind: 'declared', action: 'adopt', session: session('expected') });
    for (let index = 0; index <= MAX_SETTLED; index += 1) {
      ledger.append({ kind: 'receipt', action: 'close', session: session(`closed ${index}`) });
    }
    const keys = [...(await read(factsIn(room.folder))).keys()];
    expect([keys[0], keys[1], keys.length]).toEqual(['expected', 'closed 1', MAX_SETTLED + 1]);
  });

  it.each([
    ['damaged', '{"format":1'],
    [
      'of another version',
      '{"format":2,"mark":"","head":{"sequence":1,"hash":""},"facts":[],"openIntents":[]}',
    ],
    ['nonsense', '{"format":1,"mark":null,"head":null,"facts":[{}],"openIntents":[]}'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('does not depend on a cache that is %s', async (_, text) => {
    const ledger = await room.ledger();
    ledger.append(hold('a'));
    writeFileSync(cachePath(), text);
    expect((await read(factsIn(room.folder))).get('a')?.held?.reason).toBe('mine');
  });

  it('law 9: is read from the beginning when one byte of what was kept is another one', async () => {
    const ledger = await room.ledger();
    for (const key of ['a', 'b']) ledger.append(hold(key));
    await settled();
    const first = await read(factsIn(room.folder));
    const whole = readFileSync(cachePath());
    for (let at = 0; at < whole.length; at += 7) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(whole.readUInt8(at) ^ 1, at);
      writeFileSync(cachePath(), changed);
      expect(await read(factsIn(room.folder)), `byte ${at}`).toEqual(first);
    }
  });

  it('law 15: holds everything that lived when the ledger lost entries, known or not', async () => {
    const ledger = await room.ledger({ ticks: () => 100 });
    ledger.append({ kind: 'declared', action: 'adopt', session: session('a') });
    ledger.append(hold('a'));
    ledger.close();
    rmSync(room.anchor);
    expect(await factsIn(room.folder).current()).toMatchObject({ state: 'failed' });
    ledger.repair();
    const reading = await factsIn(room.folder).current();
    if (reading.state !== 'read') throw new Error(reading.text);
    for (const key of ['a', 'never seen', 'machine.boot.1.2.s3.99999999999']) {
      expect(reading.about(key)?.held?.reason, key).toContain('lost entries');
    }
    expect(reading.about('machine.boot.1.101.s3.1')).toBeUndefined();
    expect(ledger.verify().repairs[0]?.body).toMatchObject({ ticks: 100, boots: ['machine.boot'] });
  });

  it('law 15: is whole for each of two machines that have one machine id and one folder', async () => {
    const ledger = await room.ledger();
    const [here, there] = ['machine.boot.1.2.s1.1', 'machine.other.1.2.s1.1'];
    for (const key of [here, there]) ledger.append(hold(key));
    await settled();
    for (const [bootId, key] of [
      ['boot', here],
      ['other', there],
      ['boot', here],
    ] as const) {
      const facts = await read(factsIn(room.folder, { bootId }));
      expect([...facts.keys()]).toEqual([key]);
      // Whoever comes next and is the same need not open the ledger.
      opened = 0;
      expect([...(await read(factsIn(room.folder, { bootId }))).keys()]).toEqual([key]);
      expect(opened).toBe(0);
    }
  });
});

describe('a ledger that cannot be read', () => {
  it('law 15: fails when the ledger is another one than the facts know', async () => {
    const ledger = await room.ledger();
    for (const key of ['a', 'b', 'c']) ledger.append(hold(key));
    await settled();
    await read(factsIn(room.folder));
    const other = new LedgerRoom();
    const fresh = await other.ledger();
    fresh.append(hold('new'));
    writeFileSync(join(other.folder, 'facts.json'), readFileSync(cachePath()));
    expect(await factsIn(other.folder).current()).toMatchObject({ state: 'failed' });
    other.remove();
  });

  it('law 15: fails when all of it is gone and only the facts are left', async () => {
    const ledger = await room.ledger({ checkpoint: factsFileIn(room.folder) });
    ledger.append(hold('a'));
    await settled();
    await read(factsIn(room.folder));
    ledger.close();
    for (const name of readdirSync(room.folder)) if (name !== 'facts.json') rmSync(join(room.folder, name));
    expect(await factsIn(room.folder).current()).toMatchObject({ state: 'failed' });
    expect(() => ledger.append(hold('b'))).toThrow(expect.objectContaining({ code: 'damaged' }));
  });

  it('S36: fails when it is damaged, and says what to do', async () => {
    const ledger = await room.ledger();
    for (const key of ['a', 'b']) ledger.append(hold(key));
    ledger.close();
    room.tamper("UPDATE entry SET body = '{}' WHERE sequence = 2");
    await settled();
    const facts = factsIn(room.folder);
    const reading = await facts.current();
    expect(reading).toMatchObject({ state: 'failed', hint: 'rollcall verify says what is damaged' });
    expect(facts.current()).toBe(reading);
    expect(opened).toBe(1);
  });

  it('S36: fails also where a cache from before the damage is there', async () => {
    const ledger = await room.ledger();
    for (const key of ['a', 'b']) ledger.append(hold(key));
    await settled();
    await read(factsIn(room.folder));
    ledger.close();
    room.tamper("UPDATE entry SET body = '{}' WHERE sequence = 2");
    expect(await factsIn(room.folder).current()).toMatchObject({ state: 'failed' });
  });

  it('S36: fails when its database is gone while its anchor remains', async () => {
    const ledger = await room.ledger();
    ledger.append(hold('a'));
    ledger.close();
    rmSync(room.path);
    expect(await factsIn(room.folder).current()).toMatchObject({ state: 'failed' });
  });

  it('S36: fails with the words of whoever could not open it, and tries again at the next look', async () => {
    const ledger = await room.ledger();
    ledger.append(hold('a'));
    let isBroken = true;
    const facts = createDeclaredFacts({
      mark: () => ledgerMark(room.folder),
      checkpoint: { load: () => ({ state: 'empty' }) },
      host: () => HOST,
      openLedger: async () => {
        if (isBroken) throw Object.assign(new Error('\u001b[31mno SQLite'), { hint: 'update Node.js' });
        return ledger;
      },
    });
    expect(await facts.current()).toEqual({
      state: 'failed',
      text: 'what was declared cannot be read: \\e[31mno SQLite',
      hint: 'update Node.js',
    });
    isBroken = false;
    expect((await read(facts)).get('a')?.held?.reason).toBe('mine');
  });

  it('S36: fails when its folder cannot be looked at', () => {
    const facts = factsIn(join(room.folder, 'gone'));
    expect(facts.current()).toMatchObject({ state: 'failed', hint: 'rollcall verify says what is wrong' });
  });
});

describe('another process that records', () => {
  let own: OwnProcess;
  beforeAll(async () => {
    own = await prepareLedger();
  });
  afterAll(() => own.remove());
  const append = (reason: string, after = '') =>
    own.print([], '', `ledger.append(entry({ reason: '${reason}' })); ${after} ledger.close();`, room.folder);

  it('is noticed, with its journal and without', async () => {
    const facts = factsIn(room.folder);
    append('first');
    expect((await read(facts)).get('k')?.held?.reason).toBe('first');
    await settled();
    await read(facts);
    append('second');
    expect((await read(facts)).get('k')?.held?.reason).toBe('second');
    await settled();
    await read(facts);
    // Killed before it could close: its entry is only in the journal.
    append('third', 'process.exit(0);');
    expect((await read(facts)).get('k')?.held?.reason).toBe('third');
  });

  it('may record while the ledger is being read: the next look sees it', async () => {
    append('first');
    await settled();
    let isOnce = true;
    const facts = factsIn(room.folder, {
      onRead() {
        if (isOnce) append('second');
        isOnce = false;
      },
    });
    expect((await read(facts)).get('k')?.held?.reason).toBe('first');
    await settled();
    expect((await read(facts)).get('k')?.held?.reason).toBe('second');
    expect((await read(factsIn(room.folder))).get('k')?.held?.reason).toBe('second');
  });

  it('may move the journal into the database: the facts stay', async () => {
    append('first', 'process.exit(0);');
    await settled();
    const facts = factsIn(room.folder);
    const before = await read(facts);
    const mark = ledgerMark(room.folder).text;
    room.tamper('SELECT 1');
    expect(ledgerMark(room.folder).text).not.toBe(mark);
    expect(await read(facts)).toEqual(before);
  });
});
