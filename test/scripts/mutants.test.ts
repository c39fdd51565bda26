import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
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

// One process for all of them: it is the bundling that takes time.
const EACH = `
  const { importTs } = await import('./scripts/run-ts.mjs');
  const { mutants } = await importTs('test/mutants/main.ts');
  const codes = [];
  for (const argv of JSON.parse(process.argv[1])) codes.push(await mutants(argv));
  console.log(JSON.stringify(codes));`;

it('lists what it would break, and knows what it cannot do', async () => {
  const list = ['--only', 'src/core/rules/dead-pane.ts', '--list'];
  const wrong = [
    ['--only', 'src/cli'],
    ['--write', '--near'],
    ['--jobs', 'x'],
  ];
  const argv = ['--input-type=module', '-e', EACH, JSON.stringify([list, ...wrong])];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  expect(stdout).toContain('deadPane: all of it → null');
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual([0, 2, 2, 2]);
  expect((await mutants('--such'))[0]).toBe(2);
});
