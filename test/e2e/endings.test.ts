import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { rollDocumentSchema } from '../../src/contract/document-schemas.ts';
import { logDocumentSchema } from '../../src/contract/ledger-schemas.ts';
import { ROLLCALL, rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  tmux = new PrivateTmux('default');
  env = {
    ...tmux.env,
    XDG_STATE_HOME: join(tmux.folder, 'state'),
    XDG_CONFIG_HOME: join(tmux.folder, 'config'),
  };
  mkdirSync(join(tmux.folder, 'state'));
});
afterEach(() => tmux.stop());

/** On the server of this test: others have sessions of the same names. */
const asUser = (command: string, ...argv: string[]) =>
  rollcall([command, '--server', tmux.socketPath, ...argv], env);
/** The same in this process: for what prepares the scene, or looks at it. */
const here = (command: string, ...argv: string[]) =>
  rollcallInside([command, '--server', tmux.socketPath, ...argv], env);
/** Sessions of this test; those of others may be seen too. Asked again and again, so without a process of its own. */
const rollOf = async (whose: NodeJS.ProcessEnv, ...argv: string[]) => {
  const { stdout } = await rollcallInside(['--json', ...argv], whose);
  const { sessions } = v.parse(rollDocumentSchema, JSON.parse(stdout));
  return sessions.filter(({ server }) => server.socketPath === tmux.socketPath);
};
const roll = (...argv: string[]) => rollOf(env, ...argv);
const log = async () => v.parse(logDocumentSchema, JSON.parse((await here('log', '--json')).stdout)).entries;
const go = () => join(tmux.folder, 'go');
/** A program that does the rest once the test says so. */
const later = (script: string) => ['sh', '-c', `while [ ! -e ${go()} ]; do sleep 0.05; done; ${script}`];
/** Lets programs end that wait for it, and looks until the session has gone with its program. */
const ended = async (name: string) => {
  writeFileSync(go(), '');
  return until(
    `${name} has ended`,
    async () => (await roll('--all')).find((one) => one.name === name),
    (one) => one?.ended != null,
  );
};

describe('S58: how a program ended is known', () => {
  test('with 0 while nobody looks: it has finished, with a receipt, and is out of the way', async () => {
    expect((await asUser('run', '--name', 'e', '--', ...later('echo bye; sleep 0.2; exit 0'))).exitCode).toBe(
      0,
    );
    const seen = await ended('e');
    expect(seen).toMatchObject({ lifecycle: 'closed', activity: 'exited', ended: { exitStatus: 0 } });
    expect(await roll()).toEqual([]);
    // The next command that acts takes it into the ledger; closing it again changes nothing.
    const closing = await asUser('close', 'e');
    expect(closing.exitCode).toBe(0);
    expect(closing.stdout).toMatch(/finished .+ ago, receipt /);
    const [settled] = await roll('--lifecycle', 'closed');
    expect(settled).toMatchObject({ name: 'e', lifecycle: 'closed', receipt: expect.any(String) });
    const receipts = (await log()).filter(({ kind }) => kind === 'receipt');
    expect(receipts.map(({ body }) => body.result)).toEqual(['finished']);
    expect(readdirSync(join(tmux.folder, 'state', 'rollcall', 'ends'))).toEqual([]);
    expect((await asUser('explain', 'e')).stdout).toContain('ended with status 0');
    expect((await asUser('wait', 'e', '--until', 'closed')).exitCode).toBe(0);
    expect((await here('verify')).exitCode).toBe(0);
    rmSync(go());
    expect((await asUser('reopen', 'e')).exitCode).toBe(0);
  });

  test('with 3, and with a signal: stale, with the status and the last line; never lost', async () => {
    const says = ['sh', '-c', `echo no such table; while [ ! -e ${go()} ]; do sleep 0.05; done; exit 3`];
    await here('run', '--name', 'three', '--', ...says);
    // tmux may lose what a program prints that ends before it was read.
    await until('its line is shown', async () =>
      (await tmux.tmux('capture-pane', '-p', '-t', '=three:')).includes('no such table'),
    );
    await here('run', '--name', 'nine', '--', ...later('kill -9 $$'));
    expect(await ended('three')).toMatchObject({
      ...{ lifecycle: 'stale', ended: { exitStatus: 3, lines: ['no such table'] } },
      reasons: [
        { code: 'program-ended', text: expect.stringMatching(/^ended with status 3 .*no such table$/) },
      ],
    });
    expect(await ended('nine')).toMatchObject({ lifecycle: 'stale', ended: { exitSignal: '9' } });
    expect((await roll()).map(({ lifecycle }) => lifecycle)).toEqual(['stale', 'stale']);
    expect((await here('wait', 'three', '--until', 'exited')).exitCode).toBe(0);
    const settled = await asUser('close', 'three');
    expect(settled).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('it ended with status 3') });
    expect((await roll()).map(({ name }) => name)).toEqual(['nine']);
    // Its name is free.
    expect((await here('run', '--name', 'nine', '--', 'sleep', '1000')).exitCode).toBe(0);
  });

  test('at once', async () => {
    expect((await asUser('run', '--name', 'fine', '--', 'true')).exitCode).toBe(0);
    expect(await ended('fine')).toMatchObject({ lifecycle: 'closed', ended: { exitStatus: 0 } });
  });

  test('after its completion it has finished, however it ended', async () => {
    await tmux.session('other');
    await here('run', '--name', 'done', '--', ...later('exit 5'));
    expect((await here('complete', 'done')).exitCode).toBe(0);
    writeFileSync(go(), '');
    // Nobody looks meanwhile: it must not be seen at work long after it was complete.
    const names = () => tmux.tmux('list-sessions', '-F', '#{session_name}');
    await until('it is gone', async () => !(await names()).includes('done'));
    expect(await ended('done')).toMatchObject({ lifecycle: 'closed', ended: { exitStatus: 5 } });
  });

  test('lost is what vanished without an end: a session that was killed, with other panes or without', async () => {
    await here('run', '--name', 'killed', '--', 'sleep', '1000');
    await here('run', '--name', 'two', '--', ...later('exit 0'));
    await tmux.tmux('split-window', '-d', '-t', '=two:', 'sleep', '1000');
    await tmux.session('other');
    await tmux.tmux('kill-session', '-t', '=killed');
    writeFileSync(go(), '');
    const panes = async () => (await tmux.tmux('list-panes', '-t', '=two:')).split('\n');
    await until('its pane is gone', async () => (await panes()).length === 1);
    await tmux.tmux('kill-session', '-t', '=two');
    const lost = (await roll('--all')).filter(({ lifecycle }) => lifecycle === 'lost');
    expect(lost.map(({ name }) => name).sort()).toEqual(['killed', 'two']);
    expect((await here('close', 'two')).exitCode).toBe(0);
  });

  test('run --guard ends with 0 when its program does, and with 8 otherwise', async () => {
    const fine = asUser('run', '--guard', '--name', 'fine', '--', ...later('exit 0'));
    const bad = asUser('run', '--guard', '--name', 'bad', '--', ...later('exit 3'));
    await until(
      'both are recorded',
      async () => (await log()).filter(({ kind }) => kind === 'outcome').length === 2,
    );
    writeFileSync(go(), '');
    expect((await fine).exitCode).toBe(0);
    expect((await bad).exitCode).toBe(8);
  });

  test('the daemon takes ends into the ledger by itself', async () => {
    const daemon = spawn(process.execPath, [...ROLLCALL.split(' ').slice(1), 'up', '--foreground'], {
      env,
      stdio: 'ignore',
    });
    onTestFinished(() => void daemon.kill('SIGKILL'));
    await here('run', '--name', 'e', '--', ...later('exit 0'));
    writeFileSync(go(), '');
    const receipt = await until('there is a receipt', async () =>
      (await log()).find(({ kind }) => kind === 'receipt'),
    );
    expect(receipt).toMatchObject({ body: { result: 'finished' }, actor: { kind: 'daemon' } });
    daemon.kill('SIGTERM');
    await until('it is down', () => daemon.exitCode !== null || daemon.signalCode !== null);
  });
});

test('3: whoever waits for closed sees another close it', async () => {
  await here('run', '--name', 'a', '--', 'sleep', '1000');
  const waiting = asUser('wait', 'a', '--until', 'closed');
  const closed = await asUser('close', 'a', '--force', '--yes');
  expect(closed.exitCode).toBe(0);
  expect(await waiting).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('a: closed') });
  const second = await here('close', 'a');
  expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/closed .+ ago, receipt /) });
});

test('S59: what generation N says does not count for generation N+1 with its name', async () => {
  // A child of the first generation outlives it, and says then that the work is done.
  const said = join(tmux.folder, 'said');
  const child = `while [ ! -e ${said}.now ]; do sleep 0.05; done; ${ROLLCALL} complete >${said}.out 2>&1; echo $? >${said}.new; mv ${said}.new ${said}`;
  // Before it has a session of its own it would end with the terminal.
  const apart = `until [ -e ${said}.apart ]; do sleep 0.05; done`;
  await here(
    'run',
    '--name',
    'w',
    '--',
    ...later(`setsid sh -c ': > ${said}.apart; ${child}' & ${apart}; exit 0`),
  );
  const first = await ended('w');
  const second = JSON.parse((await here('run', '--json', '--name', 'w', '--', 'sleep', '1000')).stdout) as {
    key: string;
  };
  expect(second.key).not.toBe(first?.key);
  writeFileSync(`${said}.now`, '');
  await until('it was said', () => existsSync(said));
  expect(readFileSync(said, 'utf8').trim()).not.toBe('0');
  expect((await here('complete', first?.key ?? '')).exitCode).toBe(4);
  expect((await log()).some(({ action }) => action === 'complete')).toBe(false);
  expect(await roll()).toMatchObject([{ name: 'w', key: second.key, retainedUntil: null }]);
});

test('S60: two installs on one tmux socket: neither settles or reports the other’s as its own', async () => {
  const theirs = { ...env, XDG_STATE_HOME: join(tmux.folder, 'theirs') };
  mkdirSync(theirs.XDG_STATE_HOME);
  await here('run', '--name', 'mine', '--', ...later('exit 0'));
  await rollcall(['run', '--server', tmux.socketPath, '--name', 'theirs', '--', ...later('exit 3')], theirs);
  await ended('mine');
  const seenByThem = await until(
    'they see theirs',
    () => rollOf(theirs, '--all'),
    (sessions) => sessions.every(({ ended }) => ended !== null),
  );
  expect(seenByThem).toMatchObject([{ name: 'theirs', lifecycle: 'stale' }]);
  expect(await here('run', '--name', 'act', '--', 'true')).toMatchObject({ exitCode: 0, stderr: '' });
  await rollcall(['run', '--server', tmux.socketPath, '--name', 'act', '--', 'true'], theirs);
  // Theirs is anybody's until tmux is through with its end.
  await until(
    'only what is ours is listed',
    async () => (await roll('--all')).map(({ name }) => name).sort(),
    (listed) => listed.join() === 'act,mine',
  );
  const names = (await log()).map(({ session }) => session?.name);
  expect(names).not.toContain('theirs');
});
