import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const sim = (...argv: string[]) =>
  run(process.execPath, ['scripts/sim.mjs', ...argv], { maxBuffer: 1e8 }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout: stdout + stderr,
    }),
  );

describe('npm run sim', () => {
  it('finds bugs that are planted in rollcall, by the laws that they break', async () => {
    const { code, stdout } = await sim(
      '--planted',
      '--provoked',
      '--json',
      '--workers',
      '1',
      'hold-ignored',
      'no-intent',
      'no-grace',
    );
    const found = JSON.parse(stdout) as {
      readonly plant: { readonly name: string };
      readonly found: { readonly lines: string[]; readonly violation: { readonly law: string } };
    }[];
    expect(found.map(({ plant, found: { violation } }) => [plant.name, violation.law])).toEqual([
      ['hold-ignored', 'answered-holds'],
      ['no-intent', 'intent-first'],
      ['no-grace', 'grace-and-budget'],
    ]);
    expect(found.filter(({ found: { lines } }) => lines.length >= 30)).toEqual([]);
    expect(code).toBe(0);
  });

  it('says what it does not understand', async () => {
    expect(await sim('--seeds', 'many')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('above 0'),
    });
    expect(await sim('--loud')).toMatchObject({ code: 2, stdout: expect.stringContaining('--help') });
    expect(await sim('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('--planted') });
  });
});
