import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LockStatusDocument, lockStatusDocumentSchema } from '../../src/contract/lock-schema.ts';
import { OwnProcess, type Talker } from '../adapters/lock/own-process.ts';
import { ROLLCALL } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { until } from '../support/until.ts';
import { run } from './fake-outside.ts';

let own: OwnProcess;
let project: string;
let env: NodeJS.ProcessEnv;
let strays: number[];
beforeAll(async () => {
  own = await OwnProcess.prepare();
});
afterAll(() => own.remove());
beforeEach(() => {
  project = own.made('my project');
  env = { XDG_STATE_HOME: own.made('state') };
  strays = [];
});
afterEach(() => {
  for (const pid of strays) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
});

const lock = (...argv: string[]): Talker => own.rollcall(['lock', '--project', project, ...argv], { env });
const finished = async (talker: Talker) => {
  await talker.closed;
  return { ...(await talker.ended), stdout: talker.stdout, stderr: talker.stderr };
};
/** Asked again and again, so without a process of its own. */
const status = async (...argv: string[]): Promise<LockStatusDocument> => {
  const { stdout } = await rollcallInside(['lock', 'status', '--json', ...argv], { ...process.env, ...env });
  return v.parse(lockStatusDocumentSchema, JSON.parse(stdout));
};
const stateOf = async () => (await status()).locks[0]?.state ?? 'none';
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);
/** Once it is no longer the shell that told its pid, or started it. */
const isSleep = (pid: number) =>
  until('it is itself', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep'));

/** Starts a runner that prints its pid and stays. */
async function stayingRunner(...flags: string[]): Promise<{ talker: Talker; runner: number }> {
  const talker = lock(...flags, '--', 'sh', '-c', 'echo $$; exec sleep 1000');
  await until('the runner runs', () => talker.lines.length > 0);
  const runner = Number(talker.lines[0]);
  strays.push(runner);
  await until('the runner is noted', async () => (await status()).locks[0]?.holder?.runner?.pid === runner);
  await isSleep(runner);
  return { talker, runner };
}

describe('rollcall lock', () => {
  it('runs the program in place: its arguments, folder, output and exit code', async () => {
    const talker = lock('--', 'sh', '-c', 'cat; printf "%s|" "$@"; exit 37', 'sh', 'a b', '--json', '');
    talker.child.stdin?.end('typed ');
    expect(await finished(talker)).toMatchObject({ exitCode: 37, stdout: 'typed a b|--json||', stderr: '' });
  });

  it('ends with 128 and the signal’s number', async () => {
    expect(await finished(lock('--', 'sh', '-c', 'kill -9 $$'))).toMatchObject({ exitCode: 137 });
    expect(await finished(lock('--', 'sh', '-c', 'kill -TERM $$'))).toMatchObject({ exitCode: 143 });
  });

  it('S52: refuses a live duplicate with 7: pid, task, since and what to do', async () => {
    const { talker, runner } = await stayingRunner('--task', 'ISSUE-\u001b[31m12');
    const second = await finished(lock('--', 'touch', join(project, 'ran')));
    expect(second).toMatchObject({ exitCode: 7, stdout: '' });
    expect(second.stderr).toMatch(
      new RegExp(
        `is held by pid ${runner} \\(sleep\\), task ISSUE-\\\\e\\[31m12, since 2\\d{3}-.*\\(.* s\\)`,
      ),
    );
    expect(second.stderr).toContain(`kill ${runner}`);
    expect(second.stderr).not.toMatch(/\brm\b|delete|remove/);
    expect(existsSync(join(project, 'ran'))).toBe(false);
    const json = await finished(
      own.rollcall(['lock', '--json', '--project', project, '--', 'true'], { env }),
    );
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'lock-held', exitCode: 7 } });
    talker.child.kill('SIGTERM');
    expect(await talker.ended).toMatchObject({ exitCode: 143 });
    expect(await finished(lock('--', 'true'))).toMatchObject({ exitCode: 0 });
  });

  it('S52: is the same through a link, from below the root and in another spelling; other roots run beside it', async () => {
    execFileSync('git', ['init', '-q', project]);
    const below = join(project, 'a', 'b');
    mkdirSync(below, { recursive: true });
    const link = join(dirname(project), 'link');
    symlinkSync(below, link);
    await stayingRunner();
    for (const other of [link, below, `${project}/a/../.`]) {
      const refused = await finished(own.rollcall(['lock', '--project', other, '--', 'true'], { env }));
      expect(refused, other).toMatchObject({ exitCode: 7 });
    }
    expect(await finished(own.rollcall(['lock', '--', 'true'], { env, cwd: below }))).toMatchObject({
      exitCode: 7,
    });
    expect(await finished(lock('--name', 'tests', '--', 'true'))).toMatchObject({ exitCode: 0 });
    const elsewhere = own.made('elsewhere');
    const beside = own.rollcall(['lock', '--project', elsewhere, '--', 'true'], { env });
    expect(await finished(beside)).toMatchObject({ exitCode: 0 });
  });

  it('takes a linked worktree for a project of its own', async () => {
    const git = (...argv: string[]) => execFileSync('git', ['-C', project, ...argv]);
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
    const tree = own.fresh('tree');
    git('worktree', 'add', '-q', tree);
    await stayingRunner();
    const inTree = own.rollcall(['lock', '--project', tree, '--', 'true'], { env });
    expect(await finished(inTree)).toMatchObject({ exitCode: 0 });
    expect(await finished(lock('--', 'true'))).toMatchObject({ exitCode: 7 });
  });

  it('S50, S52: stays held when rollcall is killed while the runner lives, and is free with the runner', async () => {
    const { talker, runner } = await stayingRunner('--task', 'T');
    talker.child.kill('SIGKILL');
    await talker.ended;
    expect(isAlive(runner)).toBe(true);
    expect((await status()).locks).toMatchObject([
      {
        state: 'held',
        isStale: false,
        holder: { life: 'alive', task: 'T' },
        heldBy: [{ pid: runner, part: 'runner' }],
      },
    ]);
    const refused = await finished(lock('--', 'true'));
    expect(refused.exitCode).toBe(7);
    expect(refused.stderr).toContain(`pid ${runner} (sleep), task T`);
    process.kill(runner, 'SIGKILL');
    await until('it is free', stateOf, (state) => state === 'free');
    expect((await status()).locks).toMatchObject([{ isStale: true, holder: { life: 'gone' }, heldBy: [] }]);
    expect(await finished(lock('--', 'true'))).toMatchObject({ exitCode: 0 });
  });

  it('S50: is free at once when the runner is killed', async () => {
    const { talker, runner } = await stayingRunner();
    process.kill(runner, 'SIGKILL');
    expect(await talker.ended).toMatchObject({ exitCode: 137 });
    expect(await finished(lock('--', 'true'))).toMatchObject({ exitCode: 0 });
  });

  it('S51: what the runner leaves running keeps the lock, is named at once, and can be started without it', async () => {
    const talker = lock('--', 'sh', '-c', 'sleep 1000 >/dev/null 2>&1 & echo $!');
    expect((await finished(talker)).exitCode).toBe(0);
    const left = Number(talker.lines[0]);
    strays.push(left);
    await isSleep(left);
    expect(talker.stderr).toMatch(
      new RegExp(`stays held by what the program left running:\n {2}pid ${left} .*sleep 1000`),
    );
    const refused = await finished(lock('--', 'true'));
    expect(refused.exitCode).toBe(7);
    expect(refused.stderr).toContain(`pid ${left} (sleep), which inherited it from a runner that is gone`);
    expect(refused.stderr).toContain(`kill ${left}`);
    expect((await status()).locks).toMatchObject([
      {
        state: 'held',
        isStale: false,
        holder: { life: 'gone' },
        heldBy: [{ pid: left, part: 'descendant' }],
      },
    ]);
    process.kill(left, 'SIGKILL');
    await until('it is free', stateOf, (state) => state === 'free');

    // What was just started still has everything of its shell.
    const closes = 'sleep 1000 8>&- >/dev/null 2>&1 & until [ ! -e /proc/$!/fd/8 ]; do sleep 0.02; done';
    const careful = lock('--', 'sh', '-c', `${closes}; echo $! $ROLLCALL_LOCK_FD`);
    expect((await finished(careful)).exitCode).toBe(0);
    strays.push(Number.parseInt(careful.stdout, 10));
    expect(careful.stdout).toMatch(/^\d+ 8\n$/);
    expect(careful.stderr).toBe('');
    expect(await stateOf()).toBe('free');
  });

  it('knows when it is called under the lock itself, and keeps the outer lock where another is taken inside', async () => {
    const inside = await finished(lock('--', 'sh', '-c', `${ROLLCALL} lock --project '${project}' -- true`));
    expect(inside.exitCode).toBe(7);
    expect(inside.stderr).toContain('this command runs under that very lock');

    const both = lock(
      '--',
      'sh',
      '-c',
      `exec ${ROLLCALL} lock --project '${project}' --name inner -- sh -c 'echo $$; exec sleep 1000'`,
    );
    await until('the runner runs', () => both.lines.length > 0);
    const runner = Number(both.lines[0]);
    strays.push(runner);
    const held = async () => (await status()).locks.filter(({ state }) => state === 'held');
    const pids = (await held()).flatMap(({ heldBy }) => heldBy?.map(({ pid }) => pid) ?? []);
    for (const pid of new Set(pids)) if (pid !== runner) process.kill(pid, 'SIGKILL');
    await both.ended;
    await until('only the runner is left', held, (locks) =>
      locks.every(({ heldBy }) => heldBy?.length === 1),
    );
    expect((await held()).map(({ name, heldBy }) => [name, heldBy?.[0]?.pid]).sort()).toEqual([
      ['inner', runner],
      ['runner', runner],
    ]);
  });

  it('waits as long as it may, says for whom, and then ends with 7', async () => {
    const { runner } = await stayingRunner();
    const startedAt = performance.now();
    const waited = await finished(lock('--wait', '400ms', '--', 'true'));
    expect(waited.exitCode).toBe(7);
    expect(performance.now() - startedAt).toBeGreaterThan(400);
    expect(waited.stderr).toMatch(
      new RegExp(`^rollcall: waiting \\(at most .*\\) for the lock 'runner' of .* pid ${runner}`),
    );
  });

  it('gets the lock as soon as the one it waits for has ended', async () => {
    const { runner } = await stayingRunner();
    const waiting = lock('--wait', '1h', '--', 'echo', 'mine');
    await until('it waits', () => waiting.stderr.includes('waiting'));
    process.kill(runner, 'SIGKILL');
    expect(await finished(waiting)).toMatchObject({ exitCode: 0, stdout: 'mine\n' });
  });

  it.each(['INT', 'TERM', 'HUP', 'QUIT', 'WINCH', 'USR1', 'USR2'])(
    'sends SIG%s on to the program',
    async (name) => {
      const talker = lock(
        '--',
        'sh',
        '-c',
        `trap 'echo got; exit 5' ${name}; echo ready; while :; do sleep 0.02; done`,
      );
      await until('it is ready', () => talker.lines.length > 0);
      talker.child.kill(`SIG${name}` as NodeJS.Signals);
      expect(await finished(talker)).toMatchObject({ exitCode: 5, stdout: 'ready\ngot\n' });
    },
  );

  it('says which folder, flag or program is wrong, with the exit code for it', async () => {
    const exits: [string[], number, RegExp][] = [
      [['--project', '/no/such/folder', '--', 'true'], 4, /\/no\/such\/folder does not exist/],
      [['--project', '/etc/passwd', '--', 'true'], 4, /\/etc\/passwd is not a folder/],
      [['--project', project], 2, /needs a program/],
      [['--project', project, 'true'], 2, /needs -- before the program/],
      [['--project', project, '--'], 2, /needs a program/],
      [['--name', '../x', '--', 'true'], 2, /--name cannot be '..\/x'/],
      [['--wait', 'soon', '--', 'true'], 2, /--wait cannot be 'soon'/],
      [['--project', project, '--', './nothing'], 127, /nothing could not be started: not found/],
    ];
    for (const [argv, exitCode, text] of exits) {
      const ended = await finished(own.rollcall(['lock', ...argv], { env, cwd: project }));
      expect(ended, argv.join(' ')).toMatchObject({ exitCode, stderr: expect.stringMatching(text) });
    }
    const plain = join(project, 'plain');
    writeFileSync(plain, 'text');
    chmodSync(plain, 0o644);
    expect(await finished(lock('--', plain))).toMatchObject({
      exitCode: 126,
      stderr: expect.stringMatching(/EACCES/),
    });
    const json = await finished(lock('--json', '--', './nothing'));
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { exitCode: 127 } });
    expect(await finished(lock('--', 'true'))).toMatchObject({ exitCode: 0 });
  });

  it('has no project where the current folder is gone', async () => {
    const gone = own.made('gone');
    const talker = own.rollcall(['lock', '--', 'true'], {
      env,
      cwd: gone,
      wrap: ['sh', '-c', 'rmdir "$PWD"; exec "$@"', 'sh'],
    });
    expect(await finished(talker)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringMatching(/current folder/),
    });
  });

  it('S55: refuses a state folder that is a link', async () => {
    const state = env.XDG_STATE_HOME ?? '';
    symlinkSync(own.made('elsewhere'), join(state, 'rollcall'));
    expect(await finished(lock('--', 'true'))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/symbolic link/),
    });
  });
});

describe('rollcall lock status', () => {
  it('shows nothing where nothing was ever locked', async () => {
    expect(await status()).toMatchObject({ schemaVersion: 1, locks: [] });
    expect((await finished(own.rollcall(['lock', 'status'], { env }))).stdout).toBe('No locks.\n');
  });

  it('tells a person who holds what, and what is stale', async () => {
    expect(await finished(lock('--name', 'old', '--task', 'past', '--', 'true'))).toMatchObject({
      exitCode: 0,
    });
    const { talker, runner } = await stayingRunner2('now');
    const { stdout } = await finished(own.rollcall(['lock', 'status', '--project', project], { env }));
    expect(stdout).toMatch(
      new RegExp(`^held {2}runner {2}.*my project\n {6}by pid ${runner} \\(sleep\\), task now, since`),
    );
    expect(stdout).toContain(`pid ${talker.pid}  rollcall`);
    expect(stdout).toContain(`pid ${runner}  runner  sleep 1000`);
    expect(stdout).toMatch(/free {2}old .*\n {6}stale: last held by pid \d+, task past, since/);
    const other = own.rollcall(['lock', 'status', '--project', own.made('other')], { env });
    expect((await finished(other)).stdout).toBe('No locks.\n');
  });

  it('is told from a lock that is called status, and from a program of that name', async () => {
    expect(await finished(lock('--name', 'status', '--', 'echo', 'ran'))).toMatchObject({
      exitCode: 0,
      stdout: 'ran\n',
    });
    expect(await finished(lock('--', 'status'))).toMatchObject({ exitCode: 127 });
    expect((await run(['lock', 'status', '--help'])).stdout).toContain('rollcall lock status');
    expect((await run(['lock', '--help'])).stdout).toContain('rollcall lock [--project DIR]');
  });

  async function stayingRunner2(task: string) {
    const talker = lock('--task', task, '--', 'sh', '-c', 'echo $$; exec sleep 1000');
    await until('the runner runs', () => talker.lines.length > 0);
    const runner = Number(talker.lines[0]);
    strays.push(runner);
    const noted = async () =>
      (await status()).locks.find(({ state }) => state === 'held')?.holder?.runner?.pid;
    await until('the runner is noted', noted, (pid) => pid === runner);
    await isSleep(runner);
    return { talker, runner };
  }
});
