import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHistoryReader } from '../../../src/adapters/history/history-reader.ts';
import { createHistoryWriter } from '../../../src/adapters/history/history-writer.ts';
import { type HistoryRecord, historyLine } from '../../../src/core/history/record.ts';
import { later } from '../../core/history/rounds.ts';
import { DAY, MINUTE, NOW } from '../../support/evidence.ts';

const MIB = 1024 ** 2;
const BOUNDS = { maxBytes: 4 * MIB, keepMs: 14 * DAY };

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'rollcall-history-')), 'history');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

/** About a kilobyte that hardly compresses. */
function gone(ms: number): HistoryRecord {
  const noise = [1, 2, 3, 4, 5]
    .map((one) => createHash('sha256').update(`${ms} ${one}`).digest('hex'))
    .join('');
  return { kind: 'gone', now: later(ms), key: `k${ms}`, name: noise.slice(0, 300), how: 'ended' };
}

async function readAll(since = 0) {
  const all = { records: [] as HistoryRecord[], damaged: 0, unknown: 0 };
  for await (const part of createHistoryReader(folder).read(since)) {
    all.records.push(...part.records);
    all.damaged += part.damaged;
    all.unknown += part.unknown;
  }
  return all;
}

const files = () => readdirSync(folder).sort();
const bytes = () => files().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

describe('the history on the disk', () => {
  test('comes back in order, also while it is written, in files that only its user can read', async () => {
    const writer = createHistoryWriter(folder, BOUNDS);
    const records = [0, 1, 2, 3].map(gone);
    expect(writer.append(records.slice(0, 2), NOW.at)).toBeNull();
    expect((await readAll()).records).toEqual(records.slice(0, 2));
    expect(writer.append(records.slice(2), NOW.at)).toBeNull();
    expect(await readAll()).toEqual({ records, damaged: 0, unknown: 0 });
    expect(files()).toHaveLength(1);
    for (const name of files()) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    writer.close();
  });

  test('makes nothing before there is something to write', async () => {
    const writer = createHistoryWriter(folder, BOUNDS);
    expect(writer.append([], NOW.at)).toBeNull();
    expect(await writer.tidy()).toBeNull();
    writer.close();
    expect(readdirSync(join(folder, '..'))).toEqual([]);
    expect(await readAll()).toEqual({ records: [], damaged: 0, unknown: 0 });
  });

  test('S50: a daemon that starts again goes on in the same file', async () => {
    for (let times = 0; times < 20; times += 1) {
      const writer = createHistoryWriter(folder, BOUNDS);
      writer.append([gone(times)], NOW.at);
      writer.close();
    }
    expect(files()).toHaveLength(1);
    expect((await readAll()).records).toHaveLength(20);
  });

  test('stays within its bounds however long it grows, and forgets the oldest first', async () => {
    const writer = createHistoryWriter(folder, BOUNDS);
    for (let index = 0; index < 250; index += 1) {
      const batch = Array.from({ length: 100 }, (_, one) => gone(index * 100 + one));
      expect(writer.append(batch, later(index * 1000).at)).toBeNull();
      if (index % 3 === 0) expect(await writer.tidy()).toBeNull();
      expect(bytes()).toBeLessThanOrEqual(BOUNDS.maxBytes);
    }
    const { records, damaged } = await readAll();
    expect(damaged).toBe(0);
    expect(records.at(-1)).toMatchObject({ key: 'k24999' });
    expect(bytes()).toBeGreaterThan(BOUNDS.maxBytes / 2);
    const keys = records.map((record) => Number('key' in record && record.key.slice(1)));
    expect(keys).toEqual(keys.map((_, index) => (keys[0] ?? 0) + index));
    writer.close();
  });

  test('compresses what is full, and forgets what is too old', async () => {
    const writer = createHistoryWriter(folder, BOUNDS);
    writer.append(
      Array.from({ length: 900 }, (_, one) => gone(one)),
      NOW.at,
    );
    await writer.tidy();
    expect(files()).toMatchObject([/\.jsonl\.gz$/, /\.jsonl$/].map((name) => expect.stringMatching(name)));
    expect((await readAll()).records).toHaveLength(900);
    writer.append([gone(DAY)], NOW.at + 13 * DAY);
    expect((await readAll()).records).toHaveLength(901);
    writer.append([gone(2 * DAY)], NOW.at + 15 * DAY);
    expect((await readAll()).records).toHaveLength(2);
    writer.close();
  });

  test('takes no more than some pieces of a file at once to compress it', async () => {
    const large = { ...BOUNDS, maxBytes: 16 * 8 * 2 ** 20 };
    const writer = createHistoryWriter(folder, large);
    const name = 'x'.repeat(10_000);
    writer.append(
      Array.from({ length: 900 }, (_, one) => ({ ...gone(one), name })),
      NOW.at,
    );
    expect(bytes()).toBeGreaterThan(8 * 2 ** 20);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    let isOver = false;
    const tidied = writer.tidy().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await tidied).toBeNull();
    expect(files()).toMatchObject([/\.jsonl\.gz$/, /\.jsonl$/].map((kept) => expect.stringMatching(kept)));
    expect(most).toBeLessThan(4 * 2 ** 20);
    writer.close();
  });

  test('a file does not stay open for longer than a day', async () => {
    const writer = createHistoryWriter(folder, BOUNDS);
    writer.append([gone(0)], NOW.at);
    writer.append([gone(DAY)], NOW.at + DAY);
    writer.append([gone(DAY + 1)], NOW.at + DAY + 1);
    await writer.tidy();
    expect(files()).toHaveLength(2);
    expect((await readAll(NOW.at + DAY + MINUTE)).records).toHaveLength(3);
    expect((await readAll(NOW.at + 3 * DAY)).records).toHaveLength(1);
    writer.close();
  });

  test('S36: a line that was cut is passed over, and the next writer begins a new one', async () => {
    const writer = createHistoryWriter(folder, BOUNDS);
    writer.append([gone(1), gone(2)], NOW.at);
    writer.close();
    const [name = ''] = files();
    truncateSync(join(folder, name), statSync(join(folder, name)).size - 5);
    const next = createHistoryWriter(folder, BOUNDS);
    next.append([gone(3)], NOW.at);
    next.append([gone(4)], NOW.at);
    next.close();
    expect(await readAll()).toEqual({ records: [gone(1), gone(3), gone(4)], damaged: 1, unknown: 0 });
  });

  test('S36: garbage, binary noise and lines of a newer version are passed over', async () => {
    const writer = createHistoryWriter(folder, BOUNDS);
    writer.append([gone(1)], NOW.at);
    const [name = ''] = files();
    appendFileSync(join(folder, name), Buffer.from([0xff, 0, 0x0a, 0x7b, 0x0a]));
    appendFileSync(join(folder, name), '{"kind":"omen","now":[1,2,3]}\n');
    writer.append([gone(2)], NOW.at);
    expect(await readAll()).toEqual({ records: [gone(1), gone(2)], damaged: 2, unknown: 1 });
    writer.close();
  });

  test('S36: a compressed file that was cut is read as far as it goes, one that is no such thing not at all', async () => {
    mkdirSync(folder, { mode: 0o700 });
    const text = Array.from({ length: 2000 }, (_, index) => `${historyLine(gone(index))}\n`).join('');
    const packed = gzipSync(text);
    writeFileSync(join(folder, `00000001-${NOW.at}.jsonl.gz`), packed.subarray(0, packed.length / 2));
    writeFileSync(join(folder, `00000002-${NOW.at}.jsonl.gz`), 'no gzip at all');
    const { records, damaged } = await readAll();
    expect(records.length).toBeGreaterThan(500);
    expect(records.length).toBeLessThan(2000);
    expect(damaged).toBe(2);
  });

  test('S50: what a killed writer left half done goes with the next one, and nothing is read twice', async () => {
    mkdirSync(folder, { mode: 0o700 });
    const name = `00000001-${NOW.at}.jsonl`;
    writeFileSync(join(folder, name), `${historyLine(gone(1))}\n`);
    writeFileSync(join(folder, `${name}.gz`), gzipSync(`${historyLine(gone(1))}\n`));
    for (const mark of ['', '4194305.0123456789ab.']) {
      writeFileSync(join(folder, `00000000-${NOW.at}.jsonl.gz.${mark}tmp`), 'half');
    }
    writeFileSync(join(folder, 'notes.txt'), 'of somebody else');
    expect((await readAll()).records).toEqual([gone(1)]);
    const writer = createHistoryWriter(folder, BOUNDS);
    writer.append([gone(2)], NOW.at);
    expect(files()).toEqual([`${name}.gz`, expect.stringMatching(/^00000002/), 'notes.txt']);
    expect((await readAll()).records).toEqual([gone(1), gone(2)]);
    writer.close();
  });

  test('a full file that a killed writer left is compressed by the next one', async () => {
    const first = createHistoryWriter(folder, BOUNDS);
    first.append(
      Array.from({ length: 900 }, (_, one) => gone(one)),
      NOW.at,
    );
    first.close();
    const next = createHistoryWriter(folder, BOUNDS);
    next.append([gone(1000)], NOW.at);
    await next.tidy();
    const [packed = ''] = files();
    expect(packed).toMatch(/gz$/);
    expect(gunzipSync(readFileSync(join(folder, packed))).toString()).toContain('k899');
    next.close();
  });

  test('S55: a folder or a file that is a link is neither written to nor read', async () => {
    const elsewhere = join(folder, '..', 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, folder);
    expect(createHistoryWriter(folder, BOUNDS).append([gone(1)], NOW.at)).toMatch(/is not a folder/);
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(folder);
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(elsewhere, 'file'), `${historyLine(gone(1))}\n`);
    symlinkSync(join(elsewhere, 'file'), join(folder, `00000001-${NOW.at}.jsonl`));
    expect((await readAll()).records).toEqual([]);
    const writer = createHistoryWriter(folder, BOUNDS);
    expect(writer.append([gone(2)], NOW.at)).toBeNull();
    writer.close();
    expect(readFileSync(join(elsewhere, 'file'), 'utf8')).not.toContain('k2');
  });

  test('says why it cannot write, and goes on when it can', () => {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, '..', 'blocked'), '');
    const blocked = createHistoryWriter(join(folder, '..', 'blocked'), BOUNDS);
    expect(blocked.append([gone(1)], NOW.at)).toMatch(/the history was not written: .*is not a folder/);
    rmSync(join(folder, '..', 'blocked'));
    expect(blocked.append([gone(1)], NOW.at)).toBeNull();
    blocked.close();
    chmodSync(folder, 0o700);
  });
});
