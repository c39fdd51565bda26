import { execFileSync, spawn as spawnChild } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Spawn } from '../../../../src/adapters/tmux/run-tmux.ts';
import type { PaneTarget, TmuxActuator } from '../../../../src/ports/actuator.ts';
import type { PrivateTmux } from '../../../support/private-tmux.ts';
import { openRoom } from '../room.ts';
import { actuatorFor, targetOf } from './act-room.ts';

const room = openRoom();
let tmux: PrivateTmux;
let actuator: TmuxActuator;
beforeEach(() => {
  tmux = room.newServer();
  actuator = actuatorFor(tmux);
});

const names = async (): Promise<string[]> =>
  (await tmux.tmux('list-sessions', '-F', '#{session_name}').catch(() => '')).split('\n').filter(Boolean);

async function sleeping(name: string): Promise<PaneTarget> {
  const { paneId } = await tmux.session(name, 'sleep', '1000');
  return targetOf(tmux, paneId);
}

async function more(command: 'split-window' | 'new-window', at: string): Promise<PaneTarget> {
  const argv = ['-d', '-P', '-F', '#{pane_id}', '-t', at, 'sleep 1000'];
  return targetOf(tmux, await tmux.tmux(command, ...argv));
}

const remove = (...panes: PaneTarget[]) => actuator.removeSession(panes[0]!.session, panes);
const OTHER_PANES = { state: 'changed', text: 'its panes are not the same any more' };

describe('removing a session', () => {
  it('S1: removes exactly that one, not those that its name is the beginning of', async () => {
    const agent = await sleeping('agent-1');
    await sleeping('agent-10');
    await sleeping('agent-1*');
    expect(await remove(agent)).toEqual({ state: 'done' });
    expect(await names()).toEqual(['agent-1*', 'agent-10']);
    expect(await remove(agent)).toEqual({ state: 'changed', text: 'it is gone' });
    expect(await names()).toEqual(['agent-1*', 'agent-10']);
  });

  it('says so when it was the last one, and the server goes with it', async () => {
    const only = await sleeping('only');
    expect(await remove(only)).toEqual({ state: 'done' });
    expect(await names()).toEqual([]);
  });

  it('takes windows and panes in whatever order', async () => {
    const first = await sleeping('many');
    await sleeping('other');
    const second = await more('new-window', `${first.session.sessionId}:5`);
    const third = await more('new-window', `${first.session.sessionId}:2`);
    const fourth = await more('split-window', first.paneId);
    expect(await remove(second, first, fourth, third)).toEqual({ state: 'done' });
    expect(await names()).toEqual(['other']);
  });

  it('S4: finds it by its ids under a new name', async () => {
    const one = await sleeping('before');
    await tmux.tmux('rename-session', '-t', '=before', '--', '-after');
    await sleeping('before');
    expect(await remove(one)).toEqual({ state: 'done' });
    expect(await names()).toEqual(['before']);
  });

  it('S45: touches nothing when a person has added a pane or a window', async () => {
    const one = await sleeping('shared');
    const pane = await more('split-window', one.paneId);
    expect(await remove(one)).toEqual(OTHER_PANES);
    expect(await remove(one, pane, { ...pane, paneId: '%77' })).toEqual(OTHER_PANES);
    const window = await more('new-window', `${one.session.sessionId}:`);
    expect(await remove(one, pane)).toEqual(OTHER_PANES);
    expect(await names()).toEqual(['shared']);
    expect(await remove(one, pane, window)).toEqual({ state: 'done' });
  });

  it('S39: touches nothing when another process runs in a pane', async () => {
    const one = await sleeping('shared');
    await tmux.tmux('respawn-pane', '-k', '-t', one.paneId, 'sleep 1000');
    expect(await remove(one)).toEqual(OTHER_PANES);
    expect(await names()).toEqual(['shared']);
  });

  it('S39: touches nothing when a pane is added after tmux was asked for its panes', async () => {
    const one = await sleeping('shared');
    let calls = 0;
    const spawn: Spawn = (file, argv, options) => {
      calls += 1;
      const split = ['-S', tmux.socketPath, 'split-window', '-d', '-t', one.paneId, 'sleep 1000'];
      if (calls === 2) execFileSync('tmux', split);
      return spawnChild(file, argv, options);
    };
    const slow = actuatorFor(tmux, {}, { spawn });
    expect(await slow.removeSession(one.session, [one])).toEqual(OTHER_PANES);
    expect(calls).toBe(2);
    expect(await names()).toEqual(['shared']);
  });

  it('S2: does not touch a new session of the same name', async () => {
    await sleeping('other');
    const old = await sleeping('same');
    await tmux.tmux('kill-session', '-t', '=same');
    await sleeping('same');
    expect(await remove(old)).toEqual({ state: 'changed', text: 'it is gone' });
    expect(await names()).toEqual(['other', 'same']);
  });

  it('S3: does not touch the session that has all its ids on a new server', async () => {
    const old = await sleeping('same');
    await tmux.killServer();
    const now = await sleeping('same');
    const asked = { ...now, session: { ...now.session, server: old.session.server } };
    expect(await remove(asked)).toEqual({ state: 'changed', text: 'another tmux server runs in its place' });
    expect(await names()).toEqual(['same']);
  });

  it('S51: of grouped sessions removes only the one, and the windows live on', async () => {
    const one = await sleeping('first');
    const window = await more('new-window', `${one.session.sessionId}:`);
    await tmux.tmux('new-session', '-d', '-s', 'second', '-t', '=first');
    expect(await remove(one, window)).toEqual({ state: 'done' });
    expect(await names()).toEqual(['second']);
    expect(await tmux.tmux('list-panes', '-s', '-t', '=second', '-F', '#{pane_id}')).toBe(
      `${one.paneId}\n${window.paneId}`,
    );
  });

  it('S51: a window that is linked elsewhere, and one that is linked twice, lives on elsewhere', async () => {
    const one = await sleeping('first');
    await sleeping('second');
    await tmux.tmux('link-window', '-d', '-s', one.paneId, '-t', '=second:7');
    await tmux.tmux('link-window', '-d', '-s', one.paneId, '-t', '=first:9');
    const { session } = one;
    expect(await actuator.removeSession(session, [one])).toEqual({ state: 'done' });
    expect(await tmux.tmux('list-panes', '-t', '=second:7', '-F', '#{pane_id}')).toBe(one.paneId);
  });

  it('removes dead panes too', async () => {
    const one = await sleeping('kept');
    await sleeping('other');
    await tmux.tmux('set-option', '-w', '-t', one.paneId, 'remain-on-exit', 'on');
    process.kill(one.pid, 'SIGKILL');
    expect(await remove(one)).toEqual({ state: 'done' });
    expect(await names()).toEqual(['other']);
  });

  it('S55: refuses what is no id, and no panes at all', async () => {
    const one = await sleeping('shared');
    const named = { ...one.session, sessionId: 'shared' };
    expect(await actuator.removeSession(named, [one])).toMatchObject({ state: 'failed' });
    expect(await actuator.removeSession(one.session, [])).toEqual(OTHER_PANES);
    expect(await names()).toEqual(['shared']);
  });
});
