import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardDocumentSchema } from '../../src/contract/guard-schemas.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';
import type { Ran } from './fake-outside.ts';
import { type GuardScene, guardScene } from './guard-scene.ts';

let tmux: PrivateTmux;
let scene: GuardScene;

beforeEach(() => {
  tmux = new PrivateTmux('guarded');
  scene = guardScene([tmux], tmux.folder);
});
afterEach(() => tmux.stop());

const sleeper = (name: string) => tmux.session(name, 'sleep', '1000');
const shell = (script: string) => tmux.session('build', 'sh', '-c', script);
/** In the session 'build'; gives its id. */
const addPane = (command: string) =>
  tmux.tmux('split-window', '-d', '-P', '-F', '#{pane_id}', '-t', '=build:', command);
const remainOnExit = () => tmux.tmux('set-option', '-t', 'build', 'remain-on-exit', 'on');
const isDead = (paneId: string) =>
  until(
    `pane ${paneId} is dead`,
    () => tmux.tmux('display-message', '-p', '-t', paneId, '#{pane_dead}'),
    (dead) => dead === '1',
  );
const shows = (paneId: string, text: string) =>
  until(
    `pane ${paneId} shows ${text}`,
    () => tmux.tmux('capture-pane', '-p', '-t', paneId),
    (screen) => screen.includes(text),
  );

const stopServer = async () => {
  process.kill(tmux.serverPid, 'SIGSTOP');
  const state = () => readFileSync(`/proc/${tmux.serverPid}/stat`, 'latin1');
  await until('it is stopped', state, (text) => text.includes(') T '));
};

const follow = (...argv: string[]) =>
  scene.start(['guard', '--follow', '--sentinel', scene.sentinelPath, ...argv]);
/** Waits until what tmux was asked from now on was answered so often. */
const listed = async (times: number) => {
  const before = scene.listings();
  await until(`${times} more listings`, () => scene.listings() - before >= times);
};
const captured = () => until('it was listed and captured', () => scene.captures() > 0);
const death = async (ended: Promise<Ran>) => {
  const ran = await ended;
  expect(ran.exitCode).toBe(8);
  return ran;
};
const within = (budget: string, ...argv: string[]) =>
  scene.run(['guard', '--budget', budget, '--sentinel', scene.sentinelPath, ...argv]);

describe('rollcall guard, alive', () => {
  it('exits 0 when the budget ends with everything alive, and leaves an old sentinel alone', async () => {
    await sleeper('build');
    const ran = await within('400ms', 'build');
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^build: alive, 1 pane, watched for \d+\.\d s\n$/);
    expect(scene.sentinel()).toBeNull();
  });

  it('S1: never takes a name for the beginning of another', async () => {
    await sleeper('build-two');
    const ran = await within('300ms', 'build');
    expect(ran.exitCode).toBe(4);
    expect(ran.stderr).toContain("no session 'build'");
  });

  it('S4: a rename is no death, and the sentinel of a later one has the new name', async () => {
    const { pid } = await sleeper('build');
    const { ended } = await follow('build');
    await tmux.tmux('rename-session', '-t', '=build', 'renamed');
    await listed(2);
    await sleeper('build');
    process.kill(pid, 'SIGKILL');
    await death(ended);
    expect(scene.sentinel()).toMatchObject({ cause: 'session-gone', session: { name: 'renamed' } });
  });

  it('S4: a pane that is moved to another session lives on, with its session gone', async () => {
    const { paneId } = await sleeper('build');
    await sleeper('other');
    const { ended, interrupt } = await follow('build');
    await tmux.tmux('join-pane', '-d', '-s', paneId, '-t', '=other:');
    await listed(2);
    interrupt();
    const ran = await ended;
    expect(ran).toMatchObject({ exitCode: 130 });
    expect(ran.stderr).toContain(`pane ${paneId} lives on in session`);
    expect(scene.sentinel()).toBeNull();
  });

  it('a pane that was added and one that was closed by hand are no death of the session', async () => {
    await sleeper('build');
    const second = await addPane('sleep 1000');
    const { ended, interrupt } = await follow('build');
    await remainOnExit();
    const added = await addPane('exit 3');
    await isDead(added);
    await tmux.tmux('kill-pane', '-t', second);
    await listed(2);
    interrupt();
    const ran = await ended;
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toContain(`pane ${second} was closed`);
    expect(ran.stderr).toContain(`pane ${added}, added later, died`);
    expect(ran.stderr.match(/was closed/g)).toHaveLength(1);
    expect(scene.sentinel()).toBeNull();
  });
});

describe('rollcall guard, dead', () => {
  it('sees the end of a pane’s process, with all there is to tell', async () => {
    const { paneId, pid, sessionId } = await shell('echo last words; exec sleep 1000');
    await sleeper('other');
    await shows(paneId, 'last words');
    const { ended } = await follow('build');
    await captured();
    process.kill(pid, 'SIGKILL');
    const ran = await death(ended);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain("rollcall: 'build' died: session 'build'");
    expect(ran.stderr).toContain('last on its screen: last words');
    expect(scene.sentinel()).toMatchObject({
      reason_category: 'infra_failure',
      recoverable: true,
      suggested_action: 'restart',
      cause: 'session-gone',
      session: { name: 'build', sessionId, server: { socketPath: tmux.socketPath, pid: tmux.serverPid } },
      panes: [{ id: paneId, pid, state: 'closed', process: 'dead', screen: ['last words'] }],
    });
    expect(readdirSync(tmux.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('S45: kill-session is seen even where a process outlives it', async () => {
    const { pid, paneId } = await shell("trap '' HUP; echo up; while :; do sleep 1000; done");
    await sleeper('other');
    await shows(paneId, 'up');
    const { ended } = await follow('build');
    await captured();
    await tmux.tmux('kill-session', '-t', '=build');
    await death(ended);
    expect(scene.sentinel()).toMatchObject({ cause: 'session-gone', panes: [{ process: 'alive' }] });
    expect(scene.sentinel()?.why).toContain(`process ${pid} still runs`);
    process.kill(pid, 'SIGKILL');
  });

  it('S2: another session under the same name is a death of the guarded one', async () => {
    await sleeper('build');
    await sleeper('other');
    const { ended } = await follow('build');
    await tmux.tmux('kill-session', '-t', '=build', ';', 'new-session', '-d', '-s', 'build', 'sleep 1000');
    await death(ended);
    expect(scene.sentinel()).toMatchObject({
      cause: 'session-replaced',
      suggested_action: 'check-replacement',
    });
  });

  it('S3: a server that restarted with the same ids is a death of everything on the old one', async () => {
    const before = await sleeper('build');
    const oldPid = tmux.serverPid;
    const { ended } = await follow('build');
    await tmux.killServer();
    const after = await sleeper('build');
    expect(after.sessionId).toBe(before.sessionId);
    await death(ended);
    expect(scene.sentinel()?.cause).toMatch(/^server-/);
    expect(scene.sentinel()?.why).toContain(`tmux server ${oldPid} is gone`);
  });

  it('S32: a killed server is one death with all panes in it, not so many', async () => {
    await sleeper('build');
    for (let pane = 0; pane < 3; pane += 1) await addPane('sleep 1000');
    const { ended } = await follow('build');
    process.kill(tmux.serverPid, 'SIGKILL');
    await death(ended);
    expect(scene.sentinel()).toMatchObject({ cause: 'server-gone' });
    expect(scene.sentinel()?.panes).toHaveLength(4);
  });

  it('finds a pane that is dead already', async () => {
    const { paneId } = await shell('sleep 0.5; exit 7');
    await remainOnExit();
    await isDead(paneId);
    const ran = await within('5s', 'build');
    expect(ran.exitCode).toBe(8);
    expect(scene.sentinel()).toMatchObject({ cause: 'pane-died', panes: [{ id: paneId, state: 'died' }] });
  });
});

describe('rollcall guard, panes that remain on exit', () => {
  const remaining = async (script: string, ...more: string[]) => {
    const made = await shell('read line; eval "$line"');
    await remainOnExit();
    for (const each of more) await addPane(each);
    const { ended } = await follow('build');
    await tmux.tmux('send-keys', '-t', made.paneId, '-l', script);
    await tmux.tmux('send-keys', '-t', made.paneId, 'Enter');
    return { ...made, ran: await ended };
  };

  it.each(['exit 0', 'sleep 0.3; exit 0'])('S44: exit status 0 is an orderly end (%s)', async (script) => {
    const { ran } = await remaining(script);
    expect(ran).toMatchObject({
      exitCode: 0,
      stdout: 'build: every pane that was left ended in order: exit status 0\n',
    });
    expect(scene.sentinel()).toBeNull();
  });

  it('S44: any other exit status is a death, with the screen as it stands', async () => {
    const { paneId } = await shell('echo; echo; echo broken; read line; exit 3');
    await remainOnExit();
    const { ended } = await follow('build');
    // What a program prints as it ends may come to the screen later. tmux moves the screen up by a line for its own words.
    const screen = () => tmux.tmux('capture-pane', '-p', '-t', paneId);
    await until('it is printed', screen, (text) => text.includes('broken'));
    await tmux.tmux('send-keys', '-t', paneId, 'Enter');
    expect((await ended).exitCode).toBe(8);
    expect(scene.sentinel()).toMatchObject({
      cause: 'pane-died',
      recoverable: true,
      panes: [{ id: paneId, state: 'died', exitStatus: 3, exitSignal: null }],
    });
    expect(scene.sentinel()?.panes[0]?.screen).toContain('broken');
  });

  it('a signal is a death, and a live pane beside it is told as alive', async () => {
    const { ran } = await remaining('kill -KILL $$', 'sleep 1000');
    expect(ran.exitCode).toBe(8);
    expect(scene.sentinel()?.panes).toMatchObject([
      { state: 'died', exitSignal: 'SIGKILL' },
      { state: 'alive' },
    ]);
  });

  it('a command that is not there cannot be mended by a restart', async () => {
    const { ran } = await remaining('exec /no/such/program');
    expect(ran.exitCode).toBe(8);
    expect(scene.sentinel()).toMatchObject({ recoverable: false, suggested_action: 'fix-command' });
  });

  it('another program in every guarded pane is a death of the guarded ones', async () => {
    const { paneId } = await sleeper('build');
    const { ended } = await follow('build');
    await tmux.tmux('respawn-pane', '-k', '-t', paneId, 'sleep 2000');
    await death(ended);
    expect(scene.sentinel()).toMatchObject({ cause: 'panes-gone', panes: [{ state: 'respawned' }] });
  });
});

describe('rollcall guard --pane', () => {
  it('calls the end of that pane a death where its session lives on', async () => {
    await sleeper('build');
    const paneId = await addPane('sleep 1000');
    const { ended } = await follow('--pane', paneId, '--server', tmux.socketPath);
    await tmux.tmux('kill-pane', '-t', paneId);
    await death(ended);
    expect(scene.sentinel()).toMatchObject({ cause: 'pane-gone', panes: [{ id: paneId }] });
  });

  it('S51: is not in doubt about a pane that two sessions share', async () => {
    const { paneId } = await sleeper('build');
    await tmux.tmux('new-session', '-d', '-t', 'build', '-s', 'twin');
    expect((await within('200ms', '--pane', paneId)).exitCode).toBe(0);
  });

  it('S5: the same id on two servers is ambiguous', async () => {
    const other = new PrivateTmux('other', tmux.folder);
    try {
      const { paneId } = await sleeper('build');
      await other.session('build', 'sleep', '1000');
      scene = guardScene([tmux, other], tmux.folder);
      expect((await within('200ms', '--pane', paneId)).exitCode).toBe(5);
      expect((await within('200ms', 'build')).exitCode).toBe(5);
      expect((await within('200ms', '--pane', paneId, '--server', other.socketPath)).exitCode).toBe(0);
    } finally {
      process.kill(other.serverPid, 'SIGTERM');
    }
  });
});

describe('rollcall guard, probes that cannot tell', () => {
  it('S32: a stopped server is no death: told once, and exit 1 only when no probe succeeded', async () => {
    await sleeper('build');
    await scene.look.roll();
    await stopServer();
    const ran = await within('3s', 'build');
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr.match(/could not tell/g)).toHaveLength(1);
    expect(scene.sentinel()).toBeNull();
  });

  it('S32: a server that hangs after it answered leaves the session healthy, and a death is still seen later', async () => {
    const { pid } = await sleeper('build');
    const { ended } = await follow('build');
    await until('it was listed', () => scene.listings() > 0);
    await stopServer();
    const stoppedAt = performance.now();
    process.kill(pid, 'SIGKILL');
    await until('somebody was in doubt', () => performance.now() - stoppedAt > 700);
    expect(scene.sentinel()).toBeNull();
    process.kill(tmux.serverPid, 'SIGCONT');
    const ran = await death(ended);
    // A listing that was under way waits for its answer; doubt is told at most once.
    expect((ran.stderr.match(/could not tell/g) ?? []).length).toBeLessThanOrEqual(1);
  });

  it('a socket file that was deleted is no death while the server runs', async () => {
    await sleeper('build');
    const { ended, interrupt } = await follow('build');
    execFileSync('rm', [tmux.socketPath]);
    await listed(3);
    interrupt();
    const ran = await ended;
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toContain(`server ${tmux.serverPid} runs, but its socket does not lead to it`);
    expect(ran.stderr.match(/could not tell/g)).toHaveLength(1);
    expect(scene.sentinel()).toBeNull();
  });

  it('never starts a server', async () => {
    const ran = await within('200ms', 'build');
    expect(ran.exitCode).toBe(4);
    expect(() => readFileSync(tmux.socketPath)).toThrow(/ENOENT/);
  });
});

describe('rollcall guard, its answer', () => {
  it('prints a document with --json, and one for a death with what the sentinel holds', async () => {
    const { pid } = await sleeper('build');
    const healthy = v.parse(
      guardDocumentSchema,
      JSON.parse((await within('200ms', 'build', '--json')).stdout),
    );
    expect(healthy).toMatchObject({ outcome: 'healthy', failure: null, sentinel: null });
    const { ended } = await follow('build', '--json');
    process.kill(pid, 'SIGTERM');
    const ran = await ended;
    const died = v.parse(guardDocumentSchema, JSON.parse(ran.stdout));
    expect(ran.exitCode).toBe(8);
    expect(died).toMatchObject({ outcome: 'died', sentinel: { path: scene.sentinelPath, isWritten: true } });
    expect({ schemaVersion: 1, ...died.failure }).toEqual(scene.sentinel());
  });

  it('exits 8 also when the sentinel cannot be written, and says so at the start and at the end', async () => {
    const { pid } = await sleeper('build');
    const path = `${tmux.folder}/no/such/folder/sentinel.json`;
    const { ended } = await scene.start(['guard', 'build', '--follow', '--sentinel', path]);
    process.kill(pid, 'SIGKILL');
    const ran = await death(ended);
    expect(ran.stderr).toContain('! the sentinel could not be written now: ENOENT');
    expect(ran.stderr).toContain('the sentinel could not be written: ENOENT');
  });

  it('endings 9: refuses a sentinel in place of a FIFO before it watches', async () => {
    await sleeper('build');
    const path = `${tmux.folder}/pipe`;
    execFileSync('mkfifo', [path]);
    expect(await scene.run(['guard', 'build', '--once', '--sentinel', path])).toMatchObject({
      ...{ exitCode: 2, stdout: '' },
      stderr: expect.stringContaining(`--sentinel: ${path} is a FIFO, and only a file is replaced`),
    });
    expect(scene.listings()).toBe(0);
    expect(lstatSync(path).isFIFO()).toBe(true);
  });

  it('S54: shows what a screen holds without a raw control character', async () => {
    const { pid, paneId } = await shell("printf 'a\\342\\200\\256b'; exec sleep 1000");
    await shows(paneId, 'a');
    const { ended } = await follow('build');
    await captured();
    process.kill(pid, 'SIGKILL');
    await ended;
    expect(scene.sentinel()?.panes[0]?.screen.join('')).toMatch(/^[\x20-\x7e…]*$/);
  });

  it.each([
    [['guard'], 'guard needs a SESSION or --pane'],
    [['guard', 'a', '--pane', '%1'], '--pane takes the place of SESSION'],
    [['guard', '--pane', '1'], '--pane=1 is not a pane id'],
    [['guard', 'a', '--follow', '--budget', '1s'], '--follow has no --budget'],
    [['guard', 'a', '--follow', '--once'], '--follow has no --once'],
    [['guard', '--every-pane', '--pane', '%1'], '--every-pane is for a SESSION'],
    [['guard', '--pane', '%1', '--pane', 'x'], '--pane=x is not a pane id'],
    [['guard', 'a', '--budget', '5'], '--budget=5 has no unit'],
    [['guard', 'a', '--budget', '1ms'], '--budget=1ms is below 100ms'],
  ])('takes %j for wrong usage', async (argv, message) => {
    expect(await scene.run(argv)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });
});
