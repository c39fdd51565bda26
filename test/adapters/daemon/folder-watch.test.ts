import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createFolderWatch,
  createMarkedWatch,
  spoolNews,
} from '../../../src/adapters/daemon/folder-watch.ts';
import type { Wake } from '../../../src/core/supervision/round.ts';
import type { WakeSource } from '../../../src/ports/daemon.ts';
import { until } from '../../support/until.ts';
import { KeptLog, roundOf } from './daemon-samples.ts';

let base: string;
let spool: string;
let woken: Wake[];
let sources: WakeSource[];
beforeEach(() => {
  base = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'watch-'));
  spool = join(base, 'spool');
  woken = [];
  sources = [];
});
afterEach(async () => {
  for (const source of sources) await source.stop();
  rmSync(base, { recursive: true, force: true });
});

const started = <S extends WakeSource>(source: S): S => {
  sources.push(source);
  source.start((why) => woken.push(why));
  return source;
};
const heard = async () => {
  await until('a hint', () => woken.length > 0);
  woken.length = 0;
};
/** Does it, and waits until the events of it have come: another watch on the same folder hears of them, too. */
const fenced = async (folder: string, act: () => void) => {
  let count = 0;
  const fence = createFolderWatch({ folder, why: 'file', isNews: () => true, log: new KeptLog() });
  fence.start(() => {
    count += 1;
  });
  act();
  await until('the events', () => count > 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await fence.stop();
};

describe('the watch on the spool', () => {
  const watched = (isAwaited = false) =>
    started(
      createFolderWatch({
        ...{ folder: spool, why: 'hook', isNews: spoolNews(spool), isAwaited, log: new KeptLog() },
      }),
    );

  test('wakes for files that hooks drop, not for those that rollcall takes away or others prepare', async () => {
    mkdirSync(spool);
    writeFileSync(join(spool, 'old'), '');
    watched();
    await fenced(spool, () => writeFileSync(join(spool, '0001'), 'x'));
    expect(new Set(woken)).toEqual(new Set(['hook']));
    woken.length = 0;
    await fenced(spool, () => {
      rmSync(join(spool, 'old'));
      writeFileSync(join(spool, '.temporary'), '');
    });
    expect(woken).toEqual([]);
    expect(spoolNews(spool)('')).toBe(true);
  });

  test('begins when the folder comes, and follows one that takes its place', async () => {
    const watch = watched();
    mkdirSync(spool);
    await watch.follow(roundOf());
    writeFileSync(join(spool, '0001'), 'x');
    await heard();
    renameSync(spool, `${spool}.old`);
    mkdirSync(spool);
    await watch.follow(roundOf());
    woken.length = 0;
    writeFileSync(join(spool, '0002'), 'x');
    await heard();
  });

  const drop = (name: string) => writeFileSync(join(spool, name), 'x');

  test('where it is to come, that is heard without a round, and what was in it before the watch', async () => {
    const watch = watched(true);
    expect(watch.isDeaf()).toBe(false);
    await fenced(base, () => writeFileSync(join(base, 'other'), ''));
    expect(woken).toEqual([]);
    mkdirSync(spool);
    drop('0001');
    await heard();
    await fenced(spool, () => drop('0002'));
    expect([new Set(woken), watch.isDeaf()]).toEqual([new Set(['hook']), false]);
  });

  test.each([
    ['removed', () => rmSync(spool, { recursive: true })],
    ['moved away', () => renameSync(spool, `${spool}.old`)],
  ])('one that was %s is awaited again, without a round', async (_, goes) => {
    mkdirSync(spool);
    const watch = watched(true);
    await fenced(base, goes);
    expect([woken, watch.isDeaf()]).toEqual([[], false]);
    mkdirSync(spool);
    await heard();
    await fenced(spool, () => drop('0001'));
    expect(new Set(woken)).toEqual(new Set(['hook']));
  });

  test('one that is replaced at once is heard too', async () => {
    mkdirSync(spool);
    watched(true);
    renameSync(spool, `${spool}.old`);
    mkdirSync(spool);
    drop('0001');
    await heard();
    await fenced(spool, () => drop('0002'));
    expect(new Set(woken)).toEqual(new Set(['hook']));
  });

  test.each([
    ['that nobody waits for', false, () => rmSync(spool, { recursive: true })],
    ['whose place is gone too', true, () => rmSync(base, { recursive: true })],
  ])(
    'one %s is not heard once it is gone, and a round is called for that knows it',
    async (_, isAwaited, goes) => {
      mkdirSync(spool);
      const watch = watched(isAwaited);
      goes();
      await until('it is told', () => watch.isDeaf());
      mkdirSync(spool, { recursive: true });
      await watch.follow(roundOf());
      expect([woken, watch.isDeaf()]).toEqual([['hook'], false]);
    },
  );

  test('S36: what cannot be told is a hint, and ends nothing', async () => {
    mkdirSync(spool);
    // As where the user may not look into the folder any more.
    const isNews = () => lstatSync(join(spool, 'x'.repeat(300))) !== undefined;
    started(createFolderWatch({ folder: spool, why: 'hook', isNews, log: new KeptLog() }));
    await fenced(spool, () => drop('0001'));
    expect(new Set(woken)).toEqual(new Set(['hook']));
  });

  test('S55: watches no folder behind a link', async () => {
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), spool);
    const watch = watched(true);
    await fenced(join(base, 'elsewhere'), () => writeFileSync(join(base, 'elsewhere', '0001'), 'x'));
    expect([woken, watch.isDeaf()]).toEqual([[], true]);
  });
});

describe('the watch on what this process writes too', () => {
  test('wakes only where it looks otherwise than before the last look', async () => {
    const file = join(base, 'ledger.db');
    writeFileSync(file, '');
    let mark = 'a';
    const watch = started(
      createMarkedWatch({
        ...{ folder: base, log: new KeptLog(), mark: () => mark },
        isWanted: (name) => name.startsWith('ledger.'),
      }),
    );
    mark = 'b';
    writeFileSync(file, '1');
    await heard();
    watch.begin?.();
    await watch.follow(roundOf());
    woken.length = 0;
    await fenced(base, () => {
      writeFileSync(file, '2');
      writeFileSync(join(base, 'recollection.json'), '');
    });
    expect(woken).toEqual([]);
    mark = 'c';
    writeFileSync(file, '3');
    await heard();
  });

  test('what is written after the look, whose event comes only after the round, is news', async () => {
    const file = join(base, 'ledger.db');
    let mark = 'a';
    const watch = started(
      createMarkedWatch({
        ...{ folder: base, log: new KeptLog(), mark: () => mark },
        isWanted: (name) => name.startsWith('ledger.'),
      }),
    );
    watch.begin?.();
    mark = 'b';
    writeFileSync(file, '1');
    await watch.follow(roundOf());
    await heard();
  });

  test('S36: one whose mark cannot be had is no reason to fail', async () => {
    const watch = started(
      createMarkedWatch({
        ...{ folder: base, log: new KeptLog(), isWanted: () => true },
        mark: () => {
          throw new Error('EIO');
        },
      }),
    );
    await watch.follow(roundOf());
    expect(woken).toEqual([]);
  });
});

test('a watch that cannot listen says so, once in the log, and until it can', async () => {
  const log = new KeptLog();
  const about = { why: 'file', isNews: () => true, log } as const;
  // lstat fails on such a name as it does where no watch is left.
  const long = started(createFolderWatch({ ...about, folder: join(base, 'x'.repeat(300)) }));
  await long.follow(roundOf());
  expect([log.events, long.isDeaf()]).toEqual([['watch-failed'], true]);
  const none = started(createFolderWatch({ ...about, folder: spool }));
  expect([log.events, none.isDeaf()]).toEqual([['watch-failed'], true]);
  mkdirSync(spool);
  await none.follow(roundOf());
  expect(none.isDeaf()).toBe(false);
});
