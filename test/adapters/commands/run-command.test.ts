import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCommandRunner } from '../../../src/adapters/commands/run-command.ts';
import { toldPid } from '../../support/told-pid.ts';
import { until } from '../../support/until.ts';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'commands-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const run = (argv: string[], timeoutMs = 10_000) =>
  createCommandRunner({ ...process.env, SPOKEN: 'yes' })(argv, { cwd, timeoutMs });
const shell = (script: string, timeoutMs?: number) => run(['sh', '-c', script], timeoutMs);

describe('a command that is run for its exit status', () => {
  it('runs in the folder, with the environment and without input', async () => {
    expect(await shell('pwd; echo $SPOKEN; cat; echo oops >&2; exit 3')).toEqual({
      state: 'exited',
      exitCode: 3,
      output: `${cwd}\nyes\noops\n`,
    });
  });

  it('tells of a signal and of a program that is not there', async () => {
    expect(await shell('kill -9 $$')).toMatchObject({ state: 'killed', signal: 'SIGKILL' });
    expect(await run(['/no/such/program'])).toMatchObject({ state: 'not-started' });
    expect(await run(['a\0b'])).toMatchObject({ state: 'not-started' });
  });

  it('keeps the end of a long output', async () => {
    const { output } = await shell('head -c 100000 /dev/zero | tr "\\0" x; echo end');
    expect(output.length).toBeLessThan(5000);
    expect(output.endsWith('end\n')).toBe(true);
  });

  it('ends it when the time is up, with everything that it started', async () => {
    // A busy machine may need longer until it has told its pids.
    let timeoutMs = 500;
    const ended = () => {
      timeoutMs *= 2;
      return shell('sleep 1000 & echo $! > child; echo $$ > self; echo told; sleep 1000', timeoutMs);
    };
    expect(await until('it was told', ended, ({ output }) => output !== '')).toMatchObject({
      state: 'timed-out',
    });
    for (const name of ['child', 'self']) {
      const pid = await toldPid(join(cwd, name));
      await until(`${name} is gone`, () => !existsSync(`/proc/${pid}`) || isZombie(pid));
    }
  });

  it('does not wait for what it leaves running', async () => {
    const ended = await shell('sleep 1000 & echo $! > child');
    expect(ended).toMatchObject({ state: 'exited', exitCode: 0 });
    process.kill(await toldPid(join(cwd, 'child')), 'SIGKILL');
  });
});

function isZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}
