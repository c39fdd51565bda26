import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

const FILES = ['bench/bench.ts', 'bench/soak.ts', 'accuracy/main.ts', 'scripts/generated-docs.ts'];

it('loads every program that is written in TypeScript', () => {
  const program = `const { importTs } = await import('./scripts/run-ts.mjs');
  const counts = [];
  for (const file of JSON.parse(process.argv[1])) counts.push([file, Object.keys(await importTs(file)).length > 0]);
  console.log(JSON.stringify(counts));`;
  const argv = ['--input-type=module', '-e', program, JSON.stringify(FILES)];
  const said = execFileSync(process.execPath, argv, { cwd: root, encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual(FILES.map((file) => [file, true]));
});
