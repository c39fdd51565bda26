// The whole test command: build, static gate, every test with coverage of the core. Ends with a plain count.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBuilt } from './sources.mjs';

const node = (...argv) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, argv, { stdio: 'inherit' });
    child.on('exit', (status) => resolve(status === 0));
  });
const folder = mkdtempSync(join(tmpdir(), 'rollcall-report-'));

let passed = 0;
let failed = 0;
// npm ci has built it, and what has not changed since is not built again.
gate(isBuilt() || (await node('scripts/build.mjs')));
// The core is covered by tests that start no process: counting what runs would only slow down the others.
const [isSound] = await Promise.all([node('scripts/check.mjs'), run('pure', '--coverage')]);
gate(isSound);
// Most of them wait for other processes most of the time: together they fill two cores.
await Promise.all([run('shared'), run('real', '--maxWorkers=4')]);
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function gate(isPassed) {
  if (isPassed) passed += 1;
  else failed += 1;
}

async function run(project, ...options) {
  const report = join(folder, `${project}.json`);
  const isGreen = await node(
    ...['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...options],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  );
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    passed += numPassedTests;
    // A run that fails without a failed test (coverage below its threshold, an error outside a test) still fails.
    failed += numFailedTests > 0 ? numFailedTests : isGreen ? 0 : 1;
  } catch {
    failed += 1;
  }
}
