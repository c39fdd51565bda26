// The whole test command: build, static gate, every test with coverage of the core. Ends with a plain count.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const node = (...argv) => spawnSync(process.execPath, argv, { stdio: 'inherit' }).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'rollcall-report-'));
const report = join(folder, 'report.json');

const gates = [node('scripts/build.mjs'), node('scripts/check.mjs')];
let passed = gates.filter(Boolean).length;
let failed = gates.length - passed;
const isGreen = node(
  'node_modules/vitest/vitest.mjs',
  ...['run', '--coverage', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
);
try {
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  passed += numPassedTests;
  // A run that fails without a failed test (coverage below its threshold, an error outside a test) still fails.
  failed += numFailedTests > 0 ? numFailedTests : isGreen ? 0 : 1;
} catch {
  failed += 1;
}
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
