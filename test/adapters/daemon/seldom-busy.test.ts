import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { beSeldomBusy } from '../../../src/adapters/daemon/seldom-busy.ts';
import { seldomAgain } from '../../support/seldom-again.ts';

const flagsFor = (v8?: string) => {
  const flags: string[] = [];
  beSeldomBusy(v8, (flag) => flags.push(flag));
  return flags;
};

test('each V8 is told in its own words', () => {
  expect(flagsFor('11.3.244.8-node.38')).toEqual(['--no-incremental-marking', '--interrupt-budget=2000000']);
  expect(flagsFor('13.6.233.10')).toEqual([
    '--no-incremental-marking',
    '--invocation-count-for-turbofan=90000',
  ]);
});

test('so is that of the workers of these tests', () => {
  const versions = ['11.3.244.8-node.38', '12.4.254.21-node.57', '13.6.233.17-node.53'];
  expect(versions.map(seldomAgain)).toEqual([
    '--interrupt-budget=1000000',
    '--invocation-count-for-turbofan=30000',
    '--invocation-count-for-turbofan=30000',
  ]);
});

test('this V8 knows them, and does not collect because nothing happens', () => {
  const garbage = `
    require('node:v8').setFlagsFromString('--trace-gc');
    for (const flag of ${JSON.stringify(flagsFor())}) require('node:v8').setFlagsFromString(flag);
    const kept = Array.from({ length: 400_000 }, (_, at) => ({ at }));
    process.stdout.write(String(kept.length));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', garbage], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/Scavenge.*400000/s);
  expect(stdout).not.toContain('steps since start of marking');
});
