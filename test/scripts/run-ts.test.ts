import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it.each(['bench/bench.ts', 'bench/soak.ts', 'accuracy/main.ts', 'scripts/generated-docs.ts'])(
  'loads %s',
  (file) => {
    const program = `const { importTs } = await import('./scripts/run-ts.mjs');
    console.log(Object.keys(await importTs('${file}')).length > 0);`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(said).toBe('true\n');
  },
);
