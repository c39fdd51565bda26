import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sealedWorkers } from '../support/sealed-workers.ts';
import { until } from '../support/until.ts';

describe.skipIf(sealedWorkers === undefined)('the worker that this runs in', () => {
  test('sees its own processes only, and its parent is not process 1', () => {
    expect(readFileSync('/proc/1/cmdline', 'utf8')).toContain('workers/forks.js');
    expect(process.ppid).toBeGreaterThan(1);
  });

  test('keeps nothing of a program whose parent has gone', async () => {
    const pid = Number(
      execFileSync('sh', ['-c', 'sleep 0.05 >/dev/null 2>&1 & echo $!'], { encoding: 'utf8' }),
    );
    expect(pid).toBeGreaterThan(1);
    await until('process 1 has waited for it', () => !existsSync(`/proc/${pid}`));
  });
});
