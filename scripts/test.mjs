// The whole test command: build, static gate, every test with coverage of the core. Ends with a plain count.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const node = (...argv) => spawnSync(process.execPath, argv, { stdio: 'inherit' }).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'rollcall-report-'));

const isBuilt = node('scripts/build.mjs');
const isSound = node('scripts/check.mjs');
let passed = [isBuilt, isSound].filter(Boolean).length;
let failed = 2 - passed;
// The core is covered by tests that start no process: counting what runs would only slow down the others.
run('pure', '--coverage');
run('real');
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function run(project, ...options) {
  const report = join(folder, `${project}.json`);
  const isGreen = node(
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
