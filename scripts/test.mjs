// The whole test command: build, static gate, every test with coverage of the core. Ends with a plain count.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isBuilt } from './sources.mjs';

const node = (argv, env = process.env) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, argv, { stdio: 'inherit', env });
    child.on('exit', (status) => resolve(status === 0));
  });
const folder = mkdtempSync(join(tmpdir(), 'rollcall-report-'));

let passed = 0;
let failed = 0;
// What failed is told once more at the end: several of them print side by side, and a log is often kept by its last lines only.
const failures = [];
// npm ci has built it, and what has not changed since is not built again.
gate('the build', isBuilt() || (await node(['scripts/build.mjs'])));
const checked = node(['scripts/check.mjs']);
// The core is covered by tests that start no process: counting what runs would only slow down the others.
await run('pure', 3, '--coverage');
// Most of them wait for other processes most of the time: together they fill two cores. The last of the static gate has one
// thread, and would leave the other core to nobody.
await Promise.all([run('shared', 6), run('real', 1).then(() => run('sim', 1))]);
gate('the static gate', await checked);
rmSync(folder, { recursive: true, force: true });
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function gate(name, isPassed) {
  if (isPassed) passed += 1;
  else fail(name);
}

function fail(what) {
  failed += 1;
  failures.push(what);
}

async function run(project, workers, ...options) {
  const report = join(folder, `${project}.json`);
  const argv = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...options];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { ...process.env, ROLLCALL_TEST_WORKERS: String(workers) };
  const isGreen = await node([...argv, ...reporters], env);
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    fail(`${project}: it left no report`);
    return;
  }
  passed += results.numPassedTests;
  for (const file of results.testResults) {
    for (const test of file.assertionResults) {
      if (test.status === 'failed')
        fail(`${relative('.', file.name)} > ${test.fullName}\n${test.failureMessages.join('\n')}`);
    }
  }
  // A run that fails without a failed test (coverage below its threshold, an error outside a test) still fails.
  if (!isGreen && results.numFailedTests === 0) fail(`${project}: something outside its tests`);
}
