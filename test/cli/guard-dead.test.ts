import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProcessSensor } from '../../src/adapters/proc/process-sensor.ts';
import { guardDocumentSchema } from '../../src/contract/guard-schemas.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';
import { type GuardScene, guardScene } from './guard-scene.ts';

let tmux: PrivateTmux;
let scene: GuardScene;

beforeEach(() => {
  tmux = new PrivateTmux('guarded');
  scene = guardScene([tmux], tmux.folder);
});
afterEach(() => tmux.stop());

const sleeper = (name: string) => tmux.session(name, 'sleep', '1000');
const addPane = () =>
  tmux.tmux('split-window', '-d', '-P', '-F', '#{pane_id}', '-t', '=build:', 'sleep 1000');
/** Who finds it dead answers at once; who does not says after this time that it lives. */
const guard = (...argv: string[]) =>
  scene.run(['guard', '--budget', '20s', '--sentinel', scene.sentinelPath, ...argv]);
const isGone = (paneId: string) =>
  until(`pane ${paneId} is gone`, async () => !(await tmux.tmux('list-panes', '-a')).includes(paneId));

describe('endings 9: what was dead before anybody watched', () => {
  it('a session that the last look saw, by every handle, and again and again', async () => {
    const { sessionId, paneId } = await sleeper('build');
    await sleeper('other');
    const { key } = await scene.look.session('build');
    await tmux.tmux('kill-session', '-t', '=build');
    for (const word of ['build', key, sessionId, `guarded:build`, 'build']) {
      expect(await guard(word), word).toMatchObject({ exitCode: 8, stdout: '' });
      expect(scene.sentinel()).toMatchObject({
        ...{ reason_category: 'infra_failure', recoverable: true, suggested_action: 'restart' },
        ...{ cause: 'session-gone', session: { key, name: 'build', sessionId } },
        panes: [{ id: paneId, state: 'closed' }],
      });
    }
    expect((await guard('build')).stderr).toContain(
      "'build' died: session 'build' ($0) is gone from a server that",
    );
    const ran = await guard('build', '--json');
    expect(v.parse(guardDocumentSchema, JSON.parse(ran.stdout))).toMatchObject({
      outcome: 'died',
      watchedMs: 0,
    });
    // Another process knows it too.
    scene = { ...scene, look: scene.look.anew() };
    expect((await scene.look.roll({ withDeparted: true })).departed).toMatchObject([{ key }]);
  });

  it('a session whose server is gone, also where that server is named', async () => {
    await sleeper('build');
    await scene.look.roll();
    await tmux.killServer();
    for (const flags of [[], ['--server', tmux.socketPath]]) {
      expect(await guard('build', ...flags)).toMatchObject({ exitCode: 8 });
      expect(scene.sentinel()).toMatchObject({ cause: 'server-gone', session: { name: 'build' } });
    }
    expect((await guard('stranger', '--server', tmux.socketPath)).stderr).toContain('no tmux server');
  });

  it('a session whose name another one has now is found dead by its key, and alive by its name', async () => {
    await sleeper('build');
    const { key } = await scene.look.session('build');
    await sleeper('other');
    await tmux.tmux('kill-session', '-t', '=build');
    await sleeper('build');
    expect((await guard('--once', 'build')).exitCode).toBe(0);
    expect(await guard(key)).toMatchObject({ exitCode: 8 });
    expect(scene.sentinel()).toMatchObject({ cause: 'session-replaced' });
  });

  it('a pane that the last look saw, and one that only its number tells of', async () => {
    await sleeper('build');
    const [seen, unseen] = [await addPane(), await addPane()];
    await scene.look.roll();
    const later = await addPane();
    await tmux.tmux('kill-pane', '-t', seen);
    await isGone(seen);
    expect(await guard('--pane', seen, '--pane', later)).toMatchObject({ exitCode: 8 });
    expect(scene.sentinel()).toMatchObject({
      ...{ cause: 'pane-gone', session: { name: 'build' } },
      panes: [
        { id: seen, state: 'closed' },
        { id: later, state: 'alive' },
      ],
    });
    // Of a state folder that never saw it.
    scene = guardScene([tmux], tmux.folder);
    await tmux.tmux('kill-pane', '-t', unseen);
    await isGone(unseen);
    const ran = await guard('--pane', unseen);
    expect(ran).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining(`pane ${unseen} is gone: tmux numbers`),
    });
    expect(scene.sentinel()).toMatchObject({
      session: { key: '', name: unseen },
      panes: [{ id: unseen, pid: 0 }],
    });
  });

  it('nothing that nobody knows, and no session that lives on under another name', async () => {
    await sleeper('build');
    const pane = await addPane();
    await scene.look.roll();
    await tmux.tmux('kill-pane', '-t', pane);
    await isGone(pane);
    await scene.look.roll();
    await tmux.tmux('rename-session', '-t', '=build', 'renamed');
    for (const words of [['build'], ['stranger'], ['--pane', '%99999']]) {
      expect(await guard(...words), words.join(' ')).toMatchObject({ exitCode: 4 });
    }
    expect(scene.sentinel()).toBeNull();
  });

  it('no pane that a server without an answer may hold: an id is the same on every server', async () => {
    const other = new PrivateTmux('other', tmux.folder);
    try {
      const { paneId } = await sleeper('build');
      await sleeper('keeper');
      await other.session('unrelated', 'sleep', '1000');
      scene = guardScene([tmux, other], tmux.folder);
      await scene.look.roll();
      await tmux.tmux('kill-session', '-t', '=build');
      process.kill(other.serverPid, 'SIGSTOP');
      const ran = await scene.run(['guard', '--budget', '100ms', '--pane', paneId]);
      expect(ran).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`no answer from ${other.socketPath}`),
      });
      expect((await guard('--pane', paneId, '--server', tmux.socketPath)).exitCode).toBe(8);
    } finally {
      process.kill(other.serverPid, 'SIGCONT');
      process.kill(other.serverPid, 'SIGTERM');
    }
  });
});

describe('endings 9: a name that a server without an answer may have', () => {
  it('S32: is not dead there, where one of that name was started again before it hung', async () => {
    await sleeper('keeper');
    await sleeper('build');
    const { key } = await scene.look.session('build');
    await tmux.tmux('kill-session', '-t', '=build');
    await scene.look.roll();
    const { sessionId } = await sleeper('build');
    process.kill(tmux.serverPid, 'SIGSTOP');
    for (const word of ['build', 'guarded:build', `${tmux.socketPath}:build`]) {
      const ran = await scene.run(['guard', '--budget', '100ms', '--sentinel', scene.sentinelPath, word]);
      expect(ran, word).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`no answer from ${tmux.socketPath}`),
      });
    }
    expect(scene.sentinel()).toBeNull();
    // A key is never given twice; but its server only hangs.
    expect((await guard(key)).exitCode).toBe(8);
    expect(scene.sentinel()).toMatchObject({ cause: 'session-gone' });
    const ended = scene.run(['guard', '--once', '--budget', '20s', '--json', 'build']);
    process.kill(tmux.serverPid, 'SIGCONT');
    const ran = await ended;
    expect(v.parse(guardDocumentSchema, JSON.parse(ran.stdout))).toMatchObject({ session: { sessionId } });
    expect(ran.exitCode).toBe(0);
  });

  it('S32: is not dead on another server, unless the word or --server says which is meant', async () => {
    const other = new PrivateTmux('other', tmux.folder);
    try {
      await sleeper('keeper');
      await sleeper('build');
      await other.session('unrelated', 'sleep', '1000');
      scene = guardScene([tmux, other], tmux.folder);
      const { key } = await scene.look.session('build');
      await tmux.tmux('kill-session', '-t', '=build');
      process.kill(other.serverPid, 'SIGSTOP');
      const ran = await scene.run(['guard', '--budget', '100ms', 'build']);
      expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nothing was called dead') });
      for (const words of [[key], ['guarded:build'], ['build', '--server', tmux.socketPath]]) {
        expect((await guard(...words)).exitCode, words.join(' ')).toBe(8);
      }
    } finally {
      process.kill(other.serverPid, 'SIGCONT');
      process.kill(other.serverPid, 'SIGTERM');
    }
  });

  it('a key is not dead because one look could not read the process table', async () => {
    await sleeper('build');
    const { key } = await scene.look.session('build');
    const sense = () => ({ observedAt: 0, byPid: new Map(), isComplete: false });
    const blind = scene.look.anew({ processes: { ...createProcessSensor(), sense } });
    expect((await blind.roll({ withDeparted: true })).departed).toEqual([]);
    expect((await guard('--once', key)).exitCode).toBe(0);
  });
});

describe('endings 9: rollcall guard, several panes', () => {
  it('--every-pane: one of three that is closed is a death', async () => {
    await sleeper('build');
    const [worker] = [await addPane(), await addPane()];
    const { ended } = await scene.start([
      'guard',
      'build',
      '--every-pane',
      '--follow',
      '--sentinel',
      scene.sentinelPath,
    ]);
    await tmux.tmux('kill-pane', '-t', worker);
    expect((await ended).exitCode).toBe(8);
    expect(scene.sentinel()).toMatchObject({
      cause: 'pane-gone',
      // Its process may need a moment longer.
      why: expect.stringMatching(new RegExp(`^pane ${worker} is gone(?:, but process \\d+ still runs)?$`)),
    });
    expect(scene.sentinel()?.panes.map(({ state }) => state)).toContain('closed');
    expect(scene.sentinel()?.panes.filter(({ state }) => state === 'alive')).toHaveLength(2);
  });

  it('--pane, several times: each of them has to live, in whichever session', async () => {
    await sleeper('build');
    const { paneId: verifier } = await sleeper('verify');
    const [worker, idle] = [await addPane(), await addPane()];
    const words = ['--pane', worker, '--pane', verifier, '--pane', worker];
    expect((await guard('--once', ...words)).exitCode).toBe(0);
    const { ended } = await scene.start(['guard', '--follow', '--sentinel', scene.sentinelPath, ...words]);
    await tmux.tmux('kill-pane', '-t', idle);
    await tmux.tmux('kill-session', '-t', '=verify');
    expect((await ended).exitCode).toBe(8);
    expect(scene.sentinel()?.why).toMatch(new RegExp(`^pane ${verifier} is gone`));
  });

  it('--pane without --server: never a pane of another server in place of one that died', async () => {
    const other = new PrivateTmux('other', tmux.folder);
    try {
      const { paneId } = await sleeper('build');
      await sleeper('keeper');
      const there = await other.session('build', 'sleep', '1000');
      expect(there.paneId).toBe(paneId);
      scene = guardScene([tmux, other], tmux.folder);
      await scene.look.roll();
      await tmux.tmux('kill-session', '-t', '=build');
      expect(await guard('--once', '--pane', paneId)).toMatchObject({
        ...{ exitCode: 5, stderr: expect.stringContaining('name the server with --server') },
      });
      const on = (server: PrivateTmux) => guard('--once', '--pane', paneId, '--server', server.socketPath);
      expect([(await on(tmux)).exitCode, (await on(other)).exitCode]).toEqual([8, 0]);
    } finally {
      process.kill(other.serverPid, 'SIGTERM');
    }
  });

  it('--pane of two servers: they are to be given by themselves', async () => {
    const other = new PrivateTmux('other', tmux.folder);
    try {
      await sleeper('build');
      const far = await addPane();
      const near = (await other.session('build', 'sleep', '1000')).paneId;
      await tmux.tmux('respawn-pane', '-k', '-t', far, 'sleep 1000');
      scene = guardScene([tmux, other], tmux.folder);
      expect((await guard('--once', '--pane', near, '--pane', far)).exitCode).toBe(0);
      await tmux.tmux('kill-pane', '-t', near);
      scene = guardScene([tmux, other], tmux.folder);
      expect((await guard('--once', '--pane', near, '--pane', far, '--pane', '%99')).exitCode).toBe(4);
    } finally {
      process.kill(other.serverPid, 'SIGTERM');
    }
  });
});

describe('endings 9: rollcall guard --once', () => {
  it.each([[['--once']], [['--budget', '0']], [['--budget=0s']]])(
    'answers as soon as it is proven %j',
    async (flags) => {
      await sleeper('build');
      const ran = await scene.run(['guard', 'build', '--sentinel', scene.sentinelPath, ...flags]);
      expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
      // One listing, and no screen that nobody reads.
      expect([scene.listings(), scene.captures()]).toEqual([1, 0]);
    },
  );

  it('finds a dead pane at once', async () => {
    const { paneId } = await tmux.session('build', 'sh', '-c', 'read line; exit 3');
    await tmux.tmux('set-option', '-t', 'build', 'remain-on-exit', 'on');
    await tmux.tmux('send-keys', '-t', paneId, 'Enter');
    expect(await tmux.exitStatus('build')).toBe('3');
    expect(await guard('--once', 'build')).toMatchObject({ exitCode: 8 });
    expect(scene.sentinel()).toMatchObject({ cause: 'pane-died', panes: [{ exitStatus: 3 }] });
  });

  it('goes on asking while nothing is proven, and calls nothing dead', async () => {
    await sleeper('build');
    await scene.look.roll();
    process.kill(tmux.serverPid, 'SIGSTOP');
    const ran = await scene.run(['guard', 'build', '--once', '--budget', '600ms']);
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('cannot tell whether') });
    const ended = scene.run(['guard', 'build', '--once', '--budget', '20s']);
    process.kill(tmux.serverPid, 'SIGCONT');
    expect((await ended).exitCode).toBe(0);
  });
});
