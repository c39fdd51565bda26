import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWriterLock } from '../../../src/adapters/lock/writer-lock.ts';
import { until } from '../../support/until.ts';
import { locksIn } from './locks-in.ts';
import { OwnProcess } from './own-process.ts';

const CLAIM = { task: 'close', argv: ['rollcall', 'close'] };

let own: OwnProcess;
beforeAll(async () => {
  own = await OwnProcess.prepare();
});
afterAll(() => own.remove());

describe('the single writer', () => {
  it('S29, S50: of 50 processes exactly one is inside at a time, killed ones free it, and nobody waits for ever', async () => {
    const folder = join(own.made('state'), 'locks');
    const journal = join(own.made('journal'), 'journal');
    writeFileSync(journal, '');
    // Every fifth kills itself inside; an append is one write, so the journal tells the true order.
    const writers = Array.from({ length: 50 }, (_, number) =>
      own.start(
        folder,
        `const note = (what) => fs.appendFileSync(args[0], what + ' ' + args[1] + '\\n');
        const done = await writer.hold(claim, 500_000, async () => {
          note('in');
          await new Promise((resolve) => setTimeout(resolve, 2));
          if (args[1] % 5 === 0) process.kill(process.pid, 'SIGKILL');
          note('out');
          return args[1];
        });
        say(done);`,
        journal,
        `${number}`,
      ),
    );
    // They would starve the tests that run beside this one.
    for (const { pid } of writers) setPriority(pid, 15);
    const ends = await Promise.all(writers.map(({ ended }) => ended));
    expect(ends.filter(({ signal }) => signal === 'SIGKILL')).toHaveLength(10);
    expect(ends.filter(({ exitCode }) => exitCode === 0)).toHaveLength(40);
    const lines = readFileSync(journal, 'utf8').trim().split('\n');
    expect(lines.filter((text) => text.startsWith('in '))).toHaveLength(50);
    for (const [at, text] of lines.entries()) {
      const [what = '', number = ''] = text.split(' ');
      const isKilled = Number(number) % 5 === 0;
      if (what === 'in')
        expect(lines[at + 1] ?? 'end', `after ${text}`).toMatch(isKilled ? /^in |^end/ : `out ${number}`);
    }
    await until('all have answered', () => writers.filter(({ said }) => said.length === 1).length === 40);
    expect(writers[1]?.said).toEqual([{ state: 'done', value: '1' }]);
  });

  it('says who is at it when the time is up', async () => {
    const folder = join(own.made('state'), 'locks');
    const holder = own.start(
      folder,
      `writer.hold(claim, 60_000, () => { say('in'); return new Promise(() => {}); }); setInterval(() => {}, 1000);`,
    );
    await until('it is inside', () => holder.said.length > 0);
    const writer = createWriterLock(locksIn(folder));
    let isInside = false;
    const answer = await writer.hold(CLAIM, 100, async () => {
      isInside = true;
    });
    expect(answer).toMatchObject({
      state: 'busy',
      by: { name: 'writer', project: null, holder: { pid: holder.pid, task: 'a task' }, holderLife: 'alive' },
    });
    expect(isInside).toBe(false);
    holder.child.kill('SIGKILL');
    expect(await writer.hold(CLAIM, 60_000, async () => 7)).toEqual({ state: 'done', value: 7 });
  });

  it('also holds among the calls of one process, and is freed by work that fails', async () => {
    const writer = createWriterLock(locksIn(join(own.made('state'), 'locks')));
    let inside = 0;
    const work = async () => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => writer.hold(CLAIM, 10_000, work)));
    await expect(writer.hold(CLAIM, 100, () => Promise.reject(new Error('no disk')))).rejects.toThrow(
      'no disk',
    );
    expect(await writer.hold(CLAIM, 100, async () => 1)).toEqual({ state: 'done', value: 1 });
  });
});
