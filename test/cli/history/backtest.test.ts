import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { displayWidth } from '../../../src/cli/render/width.ts';
import { backtestDocumentSchema } from '../../../src/contract/history-schemas.ts';
import type { HistoryReader } from '../../../src/ports/history.ts';
import { Past } from '../../core/backtest/past.ts';
import { reapEvent } from '../../core/history/rounds.ts';
import {
  HOUR,
  history,
  idleAgent,
  MINUTE,
  NOW,
  pane,
  standing,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { run } from '../fake-outside.ts';
import { historyOf } from './history-of.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-backtest-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One that is used again, one that goes, one that stays, one that nobody may close. */
function past(): Past {
  const one = new Past().pressed('critical');
  for (const name of ['used', 'gone', 'left']) one.shows(name, idleAgent());
  one.shows('foreign', withPieces(idleAgent(), standing({ isManaged: false })));
  one
    .passes(20 * MINUTE, [reapEvent({ session: { key: 'key-used', name: 'used' } })])
    .passes(3 * HOUR, [], MINUTE);
  const turn = withPieces(idleAgent(), word({ turn: 'running' }), pane({ lastOutputAt: NOW.at + 3 * HOUR }));
  return one.shows('used', turn).shows('gone', null).passes(MINUTE);
}

const PAST = past();

const parts = (one: Past) => ({
  ...{ history: historyOf(one.records), now: () => NOW.at + 5 * HOUR, cwd: folder, env: { HOME: folder } },
});

describe('rollcall backtest', () => {
  test('shows what would have been closed, when, why, and what happened later', async () => {
    const { stdout, exitCode, stderr } = await run(['backtest'], parts(PAST));
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^the settings in force, tried on 4 sessions and 3h 2\dm of records between/);
    expect(stdout).toMatch(/used +\S+ \S+ +finished +300M +used again after 3h \d+m: a new turn/);
    expect(stdout).toMatch(/gone .* never used again; closed by others after 3h/);
    expect(stdout).toMatch(/left .* not used in the 3h \d+m up to the end of the record/);
    expect(stdout).toMatch(
      /would have closed 3 sessions, 900 MiB; 2 never used again \(1 of them still there at its end\), 1 used again after 3h \d+m/,
    );
    expect(stdout).toContain('not-managed 1');
    expect(stdout).toContain('closed 0 sessions, would have closed 1 session');
    expect(stdout).toContain('1 of them are in the table above; 0 only then, 2 only now');
  });

  test('keeps to the width of a terminal', async () => {
    for (const columns of [20, 60, 100]) {
      const { stdout } = await run(['backtest'], { ...parts(PAST), columns });
      for (const line of stdout.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
  });

  test('prints a document that holds to its schema', async () => {
    const { stdout } = await run(['backtest', '--json', '--tier=critical'], parts(PAST));
    const document = v.parse(backtestDocumentSchema, JSON.parse(stdout));
    expect(document).toMatchObject({ tier: 'critical', policy: null, sessions: 4 });
    expect(document.summary).toMatchObject({ sessions: 3, usedAgain: 1, neverUsedAgain: 2, notKnown: 0 });
    expect(document.recorded).toMatchObject([{ kind: 'would-close', name: 'used' }]);
  });

  test('tries the settings of a file; what it does not say stays as it is', async () => {
    mkdirSync(join(folder, '.config', 'rollcall'), { recursive: true });
    writeFileSync(join(folder, '.config', 'rollcall', 'config.json'), JSON.stringify({ protect: ['use*'] }));
    writeFileSync(join(folder, 'careful.json'), JSON.stringify({ reaper: { perHour: 1 } }));
    const careful = await run(['backtest', '--json', '--policy=careful.json', '--since=4d'], parts(PAST));
    const document = v.parse(backtestDocumentSchema, JSON.parse(careful.stdout));
    expect(document.policy).toBe('careful.json');
    expect(document.closes.map(({ name }) => name).sort()).toEqual(['gone', 'left']);
    const [first, second] = document.closes;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(HOUR);
    expect(document.kept).toContainEqual({ code: 'human-managed', sessions: 1 });
  });

  test('names what is wrong with such a file', async () => {
    const missing = await run(['backtest', '--policy=none.json'], parts(PAST));
    expect([missing.exitCode, missing.stderr]).toEqual([
      2,
      expect.stringContaining('--policy has to name a file'),
    ]);
    writeFileSync(join(folder, 'bad.json'), JSON.stringify({ reaper: { perHour: 'many' } }));
    const bad = await run(['backtest', '--policy=bad.json'], parts(PAST));
    expect([bad.exitCode, bad.stderr]).toEqual([2, expect.stringContaining('reaper.perHour')]);
  });

  test('says that there is nothing to replay, and what to do', async () => {
    const { exitCode, stderr } = await run(['backtest'], { ...parts(PAST), history: historyOf([]) });
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('start it with rollcall up')]);
    const old = await run(['backtest', '--since=1m'], parts(PAST));
    expect(old.exitCode).toBe(4);
  });

  test('says so where nothing would have been closed, and where proof was lent', async () => {
    const calm = await run(['backtest'], parts(new Past().shows('a', idleAgent()).passes(MINUTE)));
    expect(calm.stdout).toContain('would have closed nothing');
    expect(calm.stdout).toContain('it closed nothing, and would have closed nothing');
    const rested = withPieces(idleAgent(), history({ agentSeen: 'claude', quietMs: HOUR }));
    const cheap = rested.filter(({ kind }) => kind !== 'git');
    const lent = new Past()
      .pressed('moderate')
      .shows('a', cheap)
      .passes(20 * MINUTE)
      .shows('a', rested)
      .passes(MINUTE);
    const { stdout } = await run(['backtest'], parts(lent));
    expect(stdout).toContain('for 1 session git or the screen was asked only later');
  });

  test('fails where the history cannot be read on the way', async () => {
    const broken: HistoryReader = {
      // biome-ignore lint/correctness/useYield: it fails before it has anything to give
      async *read() {
        throw new Error('EIO');
      },
    };
    const { exitCode, stderr } = await run(['backtest'], { ...parts(PAST), history: async () => broken });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('the history could not be read: EIO')]);
  });
});
