import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';

const mutants = (...argv: string[]) =>
  new Promise<readonly [unknown, string]>((resolve) => {
    execFile(process.execPath, ['scripts/mutants.mjs', ...argv], (error, stdout) => {
      resolve([error === null ? 0 : error.code, stdout]);
    });
  });

it('breaks a rule in every way, and for each a test goes red', async () => {
  const [code, told] = await mutants('--only', 'src/core/rules/dead-pane.ts', '--near', '--jobs', '1');
  expect(told).toMatch(/^(\d+) mutants: \1 killed, 0 listed with a reason, 0 survived; /m);
  expect(code).toBe(0);
});

it('lists what it would break, and knows what it cannot do', async () => {
  const [code, told] = await mutants('--only', 'src/core/rules/dead-pane.ts', '--list');
  expect([code, told]).toEqual([0, expect.stringContaining('deadPane: all of it → null')]);
  for (const wrong of [['--only', 'src/cli'], ['--such'], ['--write', '--near'], ['--jobs', 'x']])
    expect((await mutants(...wrong))[0]).toBe(2);
});
