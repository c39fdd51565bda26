import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SeenRecord } from '../../../src/core/history/record.ts';
import { witnessed } from '../../../src/core/history/witness.ts';
import { OwnProcess } from '../../support/own-process.ts';
import { hasPrivateMounts } from '../../support/private-mounts.ts';
import { SmallDisk } from '../../support/small-disk.ts';
import { until } from '../../support/until.ts';
import { keepWriting, MAX_BYTES, readHistory } from './keep-writing.ts';

let own: OwnProcess;
let folder: string;
beforeAll(async () => {
  const preamble = `import { ${keepWriting.name}, ${readHistory.name} } from './module.mjs';`;
  own = await OwnProcess.prepare(['test/adapters/history/keep-writing.ts'], preamble);
  folder = join(mkdtempSync(join(tmpdir(), 'rollcall-history-')), 'history');
});
afterAll(() => {
  own.remove();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

/** Writes until it is killed, so long after it has begun; gives the number of its last round that was told. */
async function writeAndKill(first: number, ms: number): Promise<number> {
  const body =
    'await keepWriting(args[0], Number(args[1]), (number) => { console.log(number); return true; });';
  const child = own.startWith(['ignore', 'pipe', 'inherit'], body, folder, String(first));
  let last = -1;
  child.stdout?.on('data', (text: Buffer) => {
    last = Number(text.toString().trim().split('\n').at(-1));
  });
  await until('it writes', () => last >= first + 3);
  await new Promise((resolve) => setTimeout(resolve, ms));
  // Not before the last of what it told was read: it may be far ahead of a process that had to wait for a core.
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await ended;
  return last;
}

describe('S50: a writer that is killed', () => {
  test('anywhere, again and again, costs at most the line that it was at, and the next one goes on', async () => {
    let [first, kills] = [0, 0];
    for (const ms of [0, 3, 11, 17, 29, 41, 53]) {
      const last = await writeAndKill(first, ms);
      kills += 1;
      const { records, damaged } = await readHistory(folder);
      expect(damaged).toBeLessThanOrEqual(kills);
      expect(records.filter(({ kind }) => kind === 'start')).toHaveLength(kills);
      const times = records.map(({ now }) => now.at);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
      // What was told of before the kill is there: each session, whole.
      const seen = records.filter(
        (record): record is SeenRecord => record.kind === 'seen' && record.name === 'a',
      );
      const after = seen.slice(seen.findLastIndex(({ number }) => number === 0));
      expect(
        after.reduce(
          (session, record) => witnessed(session, record),
          witnessed(undefined, after[0] as SeenRecord),
        ).pieces,
      ).not.toBeNull();
      first = Math.max(first, last) + 1000;
    }
  });
});

describe.skipIf(!hasPrivateMounts)('S36: a disk that becomes full', () => {
  test('costs lines and nothing else: it is said, and all is told anew when there is room', async () => {
    const place = mkdtempSync(join(tmpdir(), 'rollcall-history-disk-'));
    const disk = await new SmallDisk(place).ready();
    try {
      const body = `
        import { rmSync } from 'node:fs';
        const folder = args[0] + '/history';
        const problems = [];
        let since = 0;
        await keepWriting(folder, 0, (number, problem) => {
          if (problem !== null) problems.push(problem);
          if (problems.length === 3) rmSync(args[0] + '/filler', { force: true });
          if (problems.length >= 3 && problem === null) since += 1;
          return since < 20 && number < 20000;
        });
        const { records, damaged } = await readHistory(folder);
        const seen = records.filter(({ kind, name }) => kind === 'seen' && name === 'a');
        console.log(JSON.stringify({ problems, damaged, last: seen.slice(-20) }));`;
      const preparation = `head -c 800k /dev/zero > ${place}/filler`;
      const told = own.run(disk.inside() as string[], preparation, body, place) as {
        readonly problems: readonly string[];
        readonly damaged: number;
        readonly last: readonly SeenRecord[];
      };
      expect(told.problems).toHaveLength(3);
      for (const problem of told.problems) expect(problem).toMatch(/^the history was not written: ENOSPC/);
      expect(told.damaged).toBeLessThanOrEqual(3);
      expect(told.last.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index));
      expect(told.last[0]?.isWhole).toBe(true);
    } finally {
      disk.remove();
    }
  });
});
