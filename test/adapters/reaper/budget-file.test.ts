import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allBudgets, noBudget } from '../../../src/adapters/reaper/all-budgets.ts';
import { budgetFolders, createBudgetFile } from '../../../src/adapters/reaper/budget-file.ts';
import type { BudgetEntry } from '../../../src/core/reaper/budget.ts';
import type { ReapSlot } from '../../../src/ports/reaper.ts';
import { OwnProcess } from '../../support/own-process.ts';

const HOUR = 3_600_000;
const fresh = () => join(mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'reap-')), 'rollcall');
const clock = { awakeMs: 5 * HOUR, at: Date.now() };
const uid = process.getuid?.() ?? 0;
const budgetIn = (folder: string, over: Partial<Parameters<typeof createBudgetFile>[0]> = {}) =>
  createBudgetFile({
    ...{ folder, uid, perHour: 3, settleMs: 20_000, host: () => ({ bootId: 'boot' }) },
    now: () => ({ ...clock, suspendedMs: 0 }),
    ...over,
  });
const entriesIn = (folder: string): BudgetEntry[] =>
  JSON.parse(readFileSync(join(folder, 'reaps.json'), 'utf8'));
const settled = (slot: ReapSlot, isUsed = true) => {
  if (slot.state !== 'taken') throw new Error(`not taken: ${slot.state}`);
  slot.settle(isUsed);
};

describe('the closes of the hour', () => {
  it('S49: are as many as the hour allows, at a distance from each other', () => {
    const folder = fresh();
    const budgets = budgetIn(folder);
    for (let taken = 0; taken < 3; taken += 1) {
      settled(budgets.take(`k${taken}`));
      if (taken < 2) expect(budgets.take('other')).toEqual({ state: 'settling' });
      clock.awakeMs += 20_000;
    }
    expect(budgets.take('fourth')).toMatchObject({
      state: 'used-up',
      text: '3 of 3 closes of this hour are used',
    });
    expect(budgets.read()).toMatchObject({ used: 3, perHour: 3, problem: null, freeAt: expect.any(Number) });
    clock.awakeMs += HOUR;
    expect(budgets.read()).toEqual({ used: 0, perHour: 3, problem: null, freeAt: null });
    expect(budgets.take('later').state).toBe('taken');
    expect(entriesIn(folder)).toHaveLength(1);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('are waited for while one is under way, and given back where nothing was done', () => {
    const budgets = budgetIn(fresh());
    const slot = budgets.take('k');
    clock.awakeMs += 60_000;
    expect(budgets.take('other').state).toBe('settling');
    settled(slot, false);
    expect(budgets.read().used).toBe(0);
    expect(budgets.take('other').state).toBe('taken');
  });

  it('S34: are waited for where nobody here can see whether one is still under way', () => {
    const folder = fresh();
    const inside = (pidNamespace: string) =>
      budgetIn(folder, { host: () => ({ bootId: 'boot', pidNamespace }) });
    expect(inside('1').take('k').state).toBe('taken');
    const path = join(folder, 'reaps.json');
    // A number that nobody has here.
    writeFileSync(path, JSON.stringify(entriesIn(folder).map((one) => ({ ...one, pid: 2 ** 30 }))));
    clock.awakeMs += 60_000;
    expect(inside('2').take('other').state).toBe('settling');
    expect(inside('1').take('other').state).toBe('taken');
  });

  it('count from the end of a close', () => {
    const budgets = budgetIn(fresh());
    const slot = budgets.take('k');
    clock.awakeMs += 19_000;
    settled(slot);
    clock.awakeMs += 19_000;
    expect(budgets.take('other').state).toBe('settling');
    clock.awakeMs += 1000;
    expect(budgets.take('other').state).toBe('taken');
  });
});

describe('S55: a folder or file that somebody else could have put there', () => {
  const holding = (put: (path: string) => void) => (folder: string) => {
    mkdirSync(folder, 0o700);
    put(join(folder, 'reaps.json'));
  };
  const open = (folder: string) => {
    mkdirSync(folder);
    chmodSync(folder, 0o770);
  };
  const refusals: [string, (folder: string) => void, RegExp][] = [
    ['a link', (folder) => symlinkSync('/tmp', folder), /symbolic link/],
    ['open to others', open, /other users/],
    ['a file', (folder) => writeFileSync(folder, ''), /not a folder/],
    ['a linked file', holding((path) => symlinkSync('/etc/hostname', path)), /ELOOP/],
    ['a damaged file', holding((path) => writeFileSync(path, '[{')), /not as expected/],
    ['another value', holding((path) => writeFileSync(path, '{}')), /not as expected/],
    ['a huge file', holding((path) => writeFileSync(path, ' '.repeat(2 ** 21))), /bytes/],
    ['a folder', holding((path) => mkdirSync(path)), /regular file/],
  ];

  it.each(refusals)('%s: nothing is closed', (_, prepare, text) => {
    const folder = fresh();
    prepare(folder);
    const budgets = budgetIn(folder);
    expect(budgets.take('k')).toMatchObject({ state: 'refused', text: expect.stringMatching(text) });
    expect(budgets.read()).toMatchObject({ problem: expect.stringMatching(text) });
  });

  it('a folder that belongs to another user', () => {
    const folder = fresh();
    mkdirSync(folder, 0o700);
    expect(budgetIn(folder, { uid: uid + 1 }).take('k')).toMatchObject({ state: 'refused' });
  });

  it('damage never becomes a fresh budget, however old it is', () => {
    const folder = fresh();
    mkdirSync(folder, 0o700);
    const path = join(folder, 'reaps.json');
    writeFileSync(path, 'garbage');
    const past = (clock.at - 48 * HOUR) / 1000;
    utimesSync(path, past, past);
    expect(budgetIn(folder).take('k')).toMatchObject({
      state: 'refused',
      text: expect.stringContaining(path),
    });
    expect(budgetIn(folder).read().problem).toContain('move it away');
    expect(readFileSync(path, 'utf8')).toBe('garbage');
  });

  it.runIf(process.getuid?.() === 0)('a folder in which nothing can be written: nothing is closed', () => {
    expect(budgetIn('/proc/rollcall').take('k').state).toBe('refused');
  });
});

describe('where they are counted', () => {
  it('S49: in the state folder, whatever the environment is, and in an own runtime folder too', () => {
    const runtime = join(fresh(), '..');
    chmodSync(runtime, 0o700);
    for (const XDG_RUNTIME_DIR of [undefined, '', 'relative', '/tmp', '/nowhere']) {
      expect(budgetFolders('/state', { XDG_RUNTIME_DIR }, uid)).toEqual(['/state']);
    }
    const env = { XDG_RUNTIME_DIR: runtime };
    expect(budgetFolders('/state', env, uid)).toEqual(['/state', join(runtime, 'rollcall')]);
    expect(budgetFolders('/state', env, uid + 1)).toEqual(['/state']);
    chmodSync(runtime, 0o770);
    expect(budgetFolders('/state', env, uid)).toEqual(['/state']);
  });

  it('S49: supervisors with several state folders share what their runtime folder counts', () => {
    const [one, other, shared] = [fresh(), fresh(), fresh()];
    const budgets = (state: string) => allBudgets([budgetIn(state), budgetIn(shared)]);
    for (let taken = 0; taken < 3; taken += 1) {
      settled(budgets(one).take(`k${taken}`));
      expect(budgets(other).take('other').state).toBe(taken < 2 ? 'settling' : 'used-up');
      clock.awakeMs += 20_000;
    }
    expect(entriesIn(other)).toEqual([]);
    expect(budgets(other).read()).toMatchObject({ used: 3, problem: null, freeAt: expect.any(Number) });
    expect(budgets(one).read()).toMatchObject({ used: 3 });
    expect(allBudgets([budgetIn(other)]).take('k').state).toBe('taken');
  });

  it('a budget that cannot be told in one place allows nothing, and takes nothing elsewhere', () => {
    const [good, bad] = [fresh(), fresh()];
    mkdirSync(bad, 0o700);
    writeFileSync(join(bad, 'reaps.json'), '{');
    for (const pair of [
      [good, bad],
      [bad, good],
    ] as const) {
      const budgets = allBudgets([budgetIn(pair[0]), budgetIn(pair[1])]);
      expect(budgets.take('k').state).toBe('refused');
      expect(budgets.read().problem).toContain(bad);
    }
    expect(budgetIn(good).read().used).toBe(0);
    expect(noBudget(3, 'no folder').take('k')).toEqual({ state: 'refused', text: 'no folder' });
    expect(noBudget(3, 'no folder').read()).toMatchObject({ problem: 'no folder' });
  });
});

describe('many processes', () => {
  let own: OwnProcess;
  const preamble = `import fs from 'node:fs';
import { createBudgetFile } from './module.mjs';
const [folder, perHour, settleMs] = args;
const budgets = createBudgetFile({
  folder, uid: process.getuid(), perHour: Number(perHour), settleMs: Number(settleMs), host: () => ({ bootId: 'boot' }),
  now: () => ({ at: Date.now(), awakeMs: performance.timeOrigin + performance.now(), suspendedMs: 0 }),
});`;

  beforeAll(async () => {
    own = await OwnProcess.prepare(['src/adapters/reaper/budget-file.ts'], preamble);
  });
  afterAll(() => own.remove());

  // A busy machine may stop whoever holds the lock for longer than anybody waits for it, and all of them for as long as this takes.
  const TAKE = `const until = Date.now() + 1500;
let [taken, isUsedUp] = [0, false];
while (Date.now() < until || !isUsedUp) {
  const slot = budgets.take('k' + process.pid);
  isUsedUp ||= slot.state === 'used-up';
  if (slot.state === 'taken') { taken += 1; slot.settle(true); }
  if (slot.state === 'refused' && !/does not let go/.test(slot.text)) { console.log('refused: ' + slot.text); process.exit(1); }
  await new Promise((resolve) => setTimeout(resolve, 5));
}
fs.writeFileSync(args[3], String(taken));`;

  it('S49: of ten processes with three closes an hour exactly three get one, and the gap holds between any two', async () => {
    const folder = fresh();
    mkdirSync(folder, 0o700);
    const results = Array.from({ length: 10 }, (_, index) => join(folder, `result-${index}`));
    const children = results.map((result) => own.start(TAKE, folder, '3', '200', result));
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual(Array(10).fill(0));
    const taken = results.map((result) => Number(readFileSync(result, 'utf8')));
    expect(taken.reduce((sum, one) => sum + one, 0)).toBe(3);
    const times = entriesIn(folder)
      .map(({ awakeMs }) => awakeMs)
      .sort((a, b) => a - b);
    expect(times).toHaveLength(3);
    expect(
      Math.min(...times.slice(1).map((at, index) => at - (times[index] as number))),
    ).toBeGreaterThanOrEqual(200);
  });

  it('S50: a close whose process was killed counts, and holds up nobody once memory can be measured again', async () => {
    const folder = fresh();
    mkdirSync(folder, 0o700);
    const child = own.start(`budgets.take('k'); process.kill(process.pid, 'SIGKILL');`, folder, '3', '0');
    await once(child, 'exit');
    const [{ awakeMs } = { awakeMs: 0 }] = entriesIn(folder);
    const budgets = (laterMs: number) =>
      budgetIn(folder, { now: () => ({ at: Date.now(), awakeMs: awakeMs + laterMs, suspendedMs: 0 }) });
    expect(budgets(19_000).take('other').state).toBe('settling');
    expect(budgets(21_000).take('other').state).toBe('taken');
    expect(budgets(21_000).read().used).toBe(2);
  });

  it('S50: a process that is killed at any point gives nobody more', async () => {
    const folder = fresh();
    mkdirSync(folder, 0o700);
    const busy = `fs.writeSync(1, 'ready');
for (;;) { const slot = budgets.take('k'); if (slot.state === 'taken') { fs.appendFileSync(args[3], 'x'); slot.settle(true); } }`;
    const log = join(folder, 'log');
    for (let round = 0; round < 6; round += 1) {
      const child = own.startWith(['ignore', 'pipe', 'inherit'], busy, folder, '1000', '0', log);
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      await new Promise((resolve) => setTimeout(resolve, round * 7));
      child.kill('SIGKILL');
      await once(child, 'exit');
      const counted = existsSync(join(folder, 'reaps.json')) ? entriesIn(folder).length : 0;
      const had = existsSync(log) ? readFileSync(log, 'utf8').length : 0;
      expect(counted).toBeGreaterThanOrEqual(had);
    }
    const budgets = budgetIn(folder, {
      perHour: 1,
      now: () => ({ at: Date.now(), awakeMs: Date.now(), suspendedMs: 0 }),
    });
    expect(budgets.take('k')).not.toMatchObject({ state: 'refused' });
    expect(entriesIn(folder).length).toBeGreaterThan(0);
  });
});
