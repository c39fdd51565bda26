import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { GitFixture } from './git-fixture.ts';

let fixture: GitFixture;
beforeEach(() => {
  fixture = new GitFixture();
});
afterEach(() => fixture.remove());

describe('git that does not answer', () => {
  const pidsIn = (file: string) =>
    existsSync(file) ? readFileSync(file, 'utf8').trim().split(/\s+/).map(Number) : [];
  const isGone = (pid: number) => {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    // Nobody may be there to collect it; a zombie is as gone as can be.
    const stat = `/proc/${pid}/stat`;
    return existsSync(stat) && readFileSync(stat, 'utf8').includes(') Z ');
  };
  function fakeGit(script: string): NodeJS.ProcessEnv {
    fixture.program(fixture.path('bin/git'), script);
    return { ...fixture.env, PATH: `${fixture.path('bin')}:${process.env.PATH}` };
  }

  it('S32: a git that hangs is a failure, and it and its children are ended', async () => {
    const root = fixture.repository();
    const pids = fixture.path('pids');
    const env = fakeGit(`sleep 300 & echo $$ $! > '${pids}'; wait`);
    // A busy machine may need longer until it has told them.
    const hung = async () => ({
      sighting: await fixture.sense(root, { env, timeoutMs: 3000 }),
      started: pidsIn(pids),
    });
    const { sighting, started } = await until('it told its pids', hung, (seen) => seen.started.length === 2);
    expect(sighting).toMatchObject({
      state: 'failed',
      text: expect.stringMatching(/no answer within \d+ ms/),
    });
    await until('the fake git and its child are gone', () => started.every(isGone));
  });

  it('ends what a git that has returned left running in its group', async () => {
    const root = fixture.repository();
    const pids = fixture.path('pids');
    const env = fakeGit(`sleep 300 >/dev/null 2>&1 & echo $! > '${pids}'; echo 'fatal: no' >&2; exit 128`);
    expect(await fixture.sense(root, { env })).toMatchObject({ state: 'failed', text: 'no' });
    const started = pidsIn(pids);
    expect(started).toHaveLength(1);
    await until('the straggler is gone', () => started.every(isGone));
  });

  it('S57: a git that never stops talking is cut off', async () => {
    const root = fixture.repository();
    const pids = fixture.path('pids');
    const env = fakeGit(`echo $$ > '${pids}'; printf '# branch.oid (initial)\\0'; exec yes '? x'`);
    expect(await fixture.sense(root, { env })).toMatchObject({ state: 'repository' });
    await until('the talker is gone', () => pidsIn(pids).every(isGone));
  });

  it('S32: git that is not installed is a failure in one line', async () => {
    const root = fixture.repository();
    mkdirSync(fixture.path('empty'));
    const sighting = await fixture.sense(root, { env: { ...fixture.env, PATH: fixture.path('empty') } });
    expect(sighting).toMatchObject({ state: 'failed', text: 'git is not installed' });
  });

  it('S32: a git that cannot be started at all is a failure, never a throw', async () => {
    const root = fixture.repository();
    const sighting = await fixture.sense(root, {
      spawn: () => {
        throw new Error('spawn E2BIG');
      },
    });
    expect(sighting).toMatchObject({ state: 'failed', text: expect.stringContaining('E2BIG') });
  });

  it('S54: the words of git are made visible', async () => {
    const root = fixture.repository();
    const env = fakeGit(`printf 'fatal: \\033]0;owned\\007\\n' >&2; exit 128`);
    expect(await fixture.sense(root, { env })).toMatchObject({ text: '\\e]0;owned\\u{7}' });
  });

  it.skipIf(process.getuid?.() !== 0)(
    'S55: another user’s repository is a failure with git’s remedy',
    async () => {
      const root = fixture.repository();
      for (const entry of ['', '.git']) chownSync(join(root, entry), 12345, 12345);
      expect(await fixture.sense(root)).toMatchObject({
        state: 'failed',
        text: expect.stringMatching(/dubious ownership.*safe\.directory/),
      });
    },
  );

  it('S57: a fifo in place of a file of the repository does not hold the sensor', async () => {
    const root = fixture.repository();
    rmSync(join(root, '.git/config'));
    const made = spawn('mkfifo', [join(root, '.git/config')]);
    await new Promise((resolve) => made.on('close', resolve));
    expect(await fixture.sense(root)).toMatchObject({ state: 'failed' });
  });

  it('never runs more gits at a time than allowed', async () => {
    const roots = Array.from({ length: 6 }, (_, index) => fixture.repository(`r${index}`));
    const second = join(fixture.folder, 'second');
    // The first one stays until there is another beside it.
    const wait = ['-c', 'until [ -e "$0" ]; do sleep 0.01; done; exec "$@"', second];
    let [running, most, count] = [0, 0, 0];
    const sensor = fixture.sensor({
      maxParallel: 2,
      spawn: (command, args, options) => {
        running += 1;
        count += 1;
        most = Math.max(most, running);
        if (count === 2) writeFileSync(second, '');
        const child =
          count === 1 ? spawn('sh', [...wait, command, ...args], options) : spawn(command, args, options);
        child.on('exit', () => {
          running -= 1;
        });
        return child;
      },
    });
    const sightings = await sensor.sense(roots);
    expect(sightings.every((sighting) => sighting.state === 'repository')).toBe(true);
    expect(most).toBe(2);
  });

  it('leaves nothing behind in the repository', async () => {
    const root = fixture.repository();
    const before = readdirSync(join(root, '.git'), { recursive: true }).sort();
    await fixture.sense(root);
    expect(readdirSync(join(root, '.git'), { recursive: true }).sort()).toEqual(before);
  });
});
