// The static gate: types, lint and format, layers, dead code, docs in step with the code. Stops at nothing, reports all.
import { spawnSync } from 'node:child_process';

const CHECKS = [
  ['types', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'],
  ['lint and format', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  [
    'layers',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'src',
  ],
  ['dead code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['docs', 'scripts/docs.mjs', '--check'],
];

let failed = 0;
for (const [name, ...argv] of CHECKS) {
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  if (status === 0) console.log(`ok    ${name}`);
  else {
    failed += 1;
    console.log(`FAIL  ${name}\n${stdout}${stderr}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
