import { execFileSync, spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Spawn } from '../../../../src/adapters/programs/run-program.ts';
import { createTmuxActuator } from '../../../../src/adapters/tmux/act/tmux-actuator.ts';
import type { PaneTarget } from '../../../../src/ports/actuator.ts';
import { PrivateTmux } from '../../../support/private-tmux.ts';
import { until } from '../../../support/until.ts';

let tmux: PrivateTmux;
let pane: PaneTarget;
beforeEach(async () => {
  tmux = new PrivateTmux('marks');
  const { sessionId, paneId, pid } = await tmux.session('mine', 'sleep', '1000');
  const created = await tmux.tmux('display-message', '-p', '-t', paneId, '#{session_created}');
  const server = { socketPath: tmux.socketPath, pid: tmux.serverPid, startTicks: 0 };
  pane = { session: { server, sessionId, createdAtSeconds: Number(created) }, paneId, pid };
});
afterEach(() => tmux.stop());

const actuator = () => createTmuxActuator({ env: tmux.env, uid: process.getuid?.() ?? 0 });
const isDead = () => tmux.tmux('display-message', '-p', '-t', pane.paneId, '#{pane_dead}');

describe('what rollcall has written on a pane', () => {
  it('is read from a live pane, from a dead one, and from one without', async () => {
    const unmarked = {
      state: 'read',
      run: null,
      sessionRun: null,
      isEndPending: false,
      remain: null,
      inherited: 'off',
      hasOwnHook: false,
    };
    expect(await actuator().runOf(pane)).toEqual(unmarked);
    await tmux.tmux('set-option', '-p', '-t', pane.paneId, 'remain-on-exit', 'on');
    await actuator().stamp(pane, { run: 'a-word', owner: 'ann', role: null, task: null });
    expect(await actuator().runOf(pane)).toEqual({ ...unmarked, run: 'a-word', remain: 'on' });
    // A pane that somebody adds does not bear what its session bears.
    await tmux.tmux('set-option', '-t', pane.session.sessionId, '@rollcall_session', 'a-word');
    await tmux.tmux('set-option', '-p', '-t', pane.paneId, '@rollcall_ends', 'on');
    const added = await tmux.tmux(
      ...['split-window', '-d', '-t', pane.paneId, '-P', '-F', '#{pane_id} #{pane_pid}', 'sleep 1000'],
    );
    const [paneId = '', pid] = added.split(' ');
    expect(await actuator().runOf({ ...pane, paneId, pid: Number(pid) })).toEqual({
      ...unmarked,
      sessionRun: 'a-word',
    });
    await tmux.tmux('set-option', '-g', 'remain-on-exit', 'failed');
    process.kill(pane.pid, 'SIGKILL');
    await until('it is dead', isDead, (dead) => dead === '1');
    expect(await actuator().runOf(pane)).toEqual({
      ...{
        state: 'read',
        run: 'a-word',
        sessionRun: 'a-word',
        isEndPending: true,
        remain: 'on',
        inherited: 'failed',
        hasOwnHook: false,
      },
    });
  });

  it('tells what somebody set for the pane, and that holds again after it was held', async () => {
    const settings = async () => [
      await tmux.tmux('show-options', '-p', '-t', pane.paneId),
      await tmux.tmux('show-hooks', '-p', '-t', pane.paneId),
    ];
    for (const remain of [null, 'failed', 'off']) {
      const word = remain === null ? ['-u', 'remain-on-exit'] : ['remain-on-exit', remain];
      await tmux.tmux('set-option', '-p', '-t', pane.paneId, ...word);
      const before = await settings();
      expect(await actuator().runOf(pane)).toMatchObject({ remain });
      expect(await actuator().setEnd(pane, 'held')).toEqual({ state: 'done' });
      expect(await actuator().runOf(pane)).toMatchObject({ remain: 'on', isEndPending: false });
      expect(await actuator().setEnd(pane, { remain })).toEqual({ state: 'done' });
      expect(await settings()).toEqual(before);
    }
  });

  const settings = async () => ({
    remain: await tmux.tmux('show-options', '-p', '-q', '-v', '-t', pane.paneId, 'remain-on-exit'),
    hooks: await tmux.tmux('show-hooks', '-p', '-t', pane.paneId),
    ends: await tmux.tmux('show-options', '-p', '-q', '-v', '-t', pane.paneId, '@rollcall_ends'),
  });
  const sets = (...words: string[]) => tmux.tmux('set-option', '-p', '-t', pane.paneId, ...words);
  const hooks = (...words: string[]) => tmux.tmux('set-hook', '-p', '-t', pane.paneId, ...words);
  const ends = { folder: '/nowhere', tmuxPath: '/usr/bin/tmux', programPath: '/nowhere' };
  const recording = () => createTmuxActuator({ env: tmux.env, uid: process.getuid?.() ?? 0, ends });
  const RUN = { run: 'a-word', isKept: false };

  it('leaves alone what somebody set since it was held', async () => {
    await actuator().setEnd(pane, 'held');
    await sets('remain-on-exit', 'failed');
    await hooks('pane-died[5]', 'display-message hi');
    expect(await actuator().setEnd(pane, { remain: null })).toEqual({ state: 'done' });
    expect(await settings()).toEqual({
      remain: 'failed',
      hooks: 'pane-died[5] display-message hi',
      ends: '',
    });
  });

  it('leaves alone a hook of somebody else at its own place, and what they added to its own', async () => {
    for (const theirs of ['display-message hi', 'set-option -p @rollcall_ends ; display-message hi']) {
      await actuator().setEnd(pane, 'held');
      await hooks('pane-died[900]', theirs);
      const { hooks: before } = await settings();
      for (const how of [{ remain: 'failed' }, RUN] as const) {
        expect(await recording().setEnd(pane, how)).toEqual({ state: 'done' });
        expect(await settings()).toEqual({ remain: 'failed', hooks: before, ends: '' });
      }
      await hooks('-u', 'pane-died');
    }
  });

  it('has an end written down again, and no more than that is changed', async () => {
    await recording().setEnd(pane, RUN);
    await sets('remain-on-exit', 'on');
    const before = await settings();
    expect(before).toMatchObject({ hooks: expect.stringContaining('a-word'), ends: 'on' });
    await recording().setEnd(pane, 'held');
    expect(await recording().setEnd(pane, RUN)).toEqual({ state: 'done' });
    expect(await settings()).toEqual(before);
    await recording().setEnd(pane, { run: 'another', isKept: true });
    expect(await settings()).toMatchObject({ hooks: expect.stringContaining('another'), ends: 'on' });
    await recording().setEnd(pane, 'held');
    await sets('remain-on-exit', 'off');
    await recording().setEnd(pane, RUN);
    expect(await settings()).toEqual({ ...before, remain: 'off' });
    // Its own hook goes, whichever it is, and the list with it.
    await recording().setEnd(pane, { remain: null });
    expect(await settings()).toMatchObject({ remain: 'off', hooks: '' });
  });

  it('finds a hook that somebody adds at that very moment', async () => {
    await actuator().setEnd(pane, 'held');
    const add = [
      '-S',
      tmux.socketPath,
      'set-hook',
      '-p',
      '-a',
      '-t',
      pane.paneId,
      'pane-died',
      'lock-server',
    ];
    const late: Spawn = (file, argv, given) => {
      if (argv.join(' ').includes('remain-on-exit')) execFileSync('tmux', add);
      return spawn(file, argv, given);
    };
    const options = { env: tmux.env, uid: process.getuid?.() ?? 0, spawn: late };
    expect(await createTmuxActuator(options).setEnd(pane, { remain: null })).toEqual({ state: 'done' });
    expect(await settings()).toMatchObject({ remain: '', hooks: 'pane-died[0] lock-server' });
  });

  it('tells whether somebody has a hook for its end, and not of ours', async () => {
    await actuator().setEnd(pane, 'held');
    expect(await actuator().runOf(pane)).toMatchObject({ hasOwnHook: false, remain: 'on' });
    await tmux.tmux('set-hook', '-p', '-t', pane.paneId, 'pane-died', 'respawn-pane');
    expect(await actuator().runOf(pane)).toMatchObject({ hasOwnHook: true, remain: 'on' });
  });

  it('takes only its own remain-on-exit back', async () => {
    const own = () => tmux.tmux('show-options', '-p', '-q', '-v', '-t', pane.paneId, 'remain-on-exit');
    await tmux.tmux('set-option', '-g', 'remain-on-exit', 'on');
    await tmux.tmux('set-option', '-p', '-t', pane.paneId, 'remain-on-exit', 'failed');
    expect(await actuator().letGo(pane)).toEqual({ state: 'done' });
    expect(await own()).toBe('');
    expect(await tmux.tmux('show-options', '-g', '-v', 'remain-on-exit')).toBe('on');
  });

  it('S2, S3: is neither read nor changed on another pane, session or server', async () => {
    await tmux.tmux('set-option', '-p', '-t', pane.paneId, 'remain-on-exit', 'on');
    const { session } = pane;
    const strangers: PaneTarget[] = [
      { ...pane, pid: pane.pid + 1 },
      { ...pane, paneId: '%99' },
      { ...pane, session: { ...session, createdAtSeconds: 1 } },
      { ...pane, session: { ...session, server: { ...session.server, pid: 1 } } },
    ];
    for (const stranger of strangers) {
      expect(await actuator().runOf(stranger)).toMatchObject({ state: 'changed' });
      expect(await actuator().letGo(stranger)).toMatchObject({ state: 'changed' });
    }
    expect(await actuator().wake(strangers[2]?.session ?? session)).toMatchObject({ state: 'changed' });
    expect(await actuator().letGo({ ...pane, paneId: '=mine' })).toMatchObject({ state: 'failed' });
    expect(await tmux.tmux('show-options', '-p', '-v', '-t', pane.paneId, 'remain-on-exit')).toBe('on');
    expect(await actuator().wake(session)).toEqual({ state: 'done' });
  });
});
