import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rollcall } from '../support/command.ts';
import { playBatch } from './damage/batch.ts';
import { damaged } from './damage/case.ts';
import { provableAfter } from './damage/provable.ts';
import { makeSample, RECIPES, type Sample, type SampleName, writeFiles } from './damage/sample.ts';
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
    const room = join(folder, `one-${name}-${how}`);
    const { violations } = await playBatch(room, sample, { file: 'ledger.db', how }, [at], () => true);
    expect(violations).toEqual([]);
  });
});

describe('S36: the built command on a damaged ledger', () => {
  test.each([
    ['closed', 'ledger.db', 'flip', 3],
    ['large', 'ledger.db', 'cut', 65_537],
    ['open', 'ledger.db-wal', 'flip', 20_000],
  ] as const)('%s, %s, %s at %i: says so, repairs on request, and goes on', async (name, file, how, at) => {
    const sample = samples.get(name) as Sample;
    const home = join(folder, `home-${name}`);
    writeFiles(join(home, 'rollcall'), damaged(sample, { file, how, at }));
    const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home, TMUX_TMPDIR: home };
    const run = async (...argv: string[]) => {
      const { exitCode, stdout, stderr } = await rollcall(argv, env);
      expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
      return { exitCode, stdout, stderr };
    };
    const kept = provableAfter(sample, { file, how, at });
    expect(await run('verify')).toMatchObject({
      ...{ exitCode: 1, stdout: expect.stringContaining('rollcall verify --repair') },
    });
    const log = await run('log', '--json');
    expect(log.exitCode).toBe(1);
    expect(JSON.parse(log.stdout).entries).toHaveLength(kept);
    // The way out works at any time, and says what it could not do.
    expect((await run('gate', 'off')).stderr).toContain('could not be recorded');
    const repaired = await run('verify', '--repair', '--json');
    expect(repaired.exitCode).toBe(0);
    expect(JSON.parse(repaired.stdout)).toMatchObject({
      state: 'intact',
      entries: kept + 1,
      repaired: { kept },
    });
    expect(await run('verify')).toMatchObject({ exitCode: 0 });
  });
});
