// The static gate: types, lint and format, layers, dead code, docs in step with the code. Stops at nothing, reports all.
import { spawn } from 'node:child_process';

// What has not changed since the last time is not checked again; of a fresh copy everything is.
const TYPES_SEEN = 'node_modules/.cache/rollcall/types.tsbuildinfo';

const CHECKS = [
  [
    'types',
    'node_modules/typescript7/bin/tsc',
    // Beside the others more threads only cost more.
    ...['-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', TYPES_SEEN, '--singleThreaded'],
  ],
  ['lint and format', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  [
    'layers',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    ...['src', 'accuracy', 'bench'],
  ],
  ['dead code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['docs', 'scripts/docs.mjs', '--check'],
];

// All at once: most of them have one thread each.
const ends = CHECKS.map(([name, ...argv]) => {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => child.on('close', (status) => resolve({ name, status, output })));
});

let failed = 0;
for (const end of ends) {
  const { name, status, output } = await end;
  if (status === 0) console.log(`ok    ${name}`);
  else {
    failed += 1;
    console.log(`FAIL  ${name}\n${output}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
