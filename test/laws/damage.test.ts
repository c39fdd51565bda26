import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playBatch } from './damage/batch.ts';
import { makeSample, RECIPES, type Sample, type SampleName } from './damage/sample.ts';
import { placesOf, seriesOf } from './damage/series.ts';

/** Cases of each series, evenly spread; the first of them lies where it was cut or begins. `npm run damage` plays all. */
const CASES = 15;

let folder: string;
const samples = new Map<SampleName, Sample>();

beforeAll(async () => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 'damage-'));
  for (const name of Object.keys(RECIPES) as SampleName[])
    samples.set(name, await makeSample(name, join(folder, 'making')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('S36: a ledger that was damaged at any byte', () => {
  test('is called damaged or read as it was recorded, and its repair keeps all that is whole', async () => {
    for (const series of seriesOf(samples)) {
      const every = Math.max(1, Math.floor((series.to - series.from) / CASES));
      const sample = samples.get(series.sample) as Sample;
      const room = join(folder, `${series.sample}-${series.file}-${series.how}`);
      const { cases, violations } = await playBatch(room, sample, series, placesOf(series, every));
      expect(violations).toEqual([]);
      expect(cases).toBeGreaterThanOrEqual(CASES);
    }
  });

  // Each of them was lost, taken for whole or not to be repaired once.
  test.each([
    ['closed', 'flip', 3, 'the first bytes of the database'],
    ['closed', 'flip', 60, 'its version, as of a later rollcall'],
    ['closed', 'flip', 63, 'its version'],
    ['closed', 'flip', 2346, 'a trigger'],
    ['closed', 'flip', 3686, 'a table'],
    ['open', 'cut', 0, 'all of a database that has a journal'],
    ['large', 'cut', 65_537, 'the last pages'],
  ] as const)('%s, %s at %i: %s', async (name, how, at, _) => {
    const sample = samples.get(name) as Sample;
    for (const place of [at - (at % 16), at]) {
      const room = join(folder, `one-${name}-${how}`);
      const { violations } = await playBatch(room, sample, { file: 'ledger.db', how }, [place]);
      expect(violations).toEqual([]);
    }
  });
});
