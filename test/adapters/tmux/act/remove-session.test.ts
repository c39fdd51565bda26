import { execFileSync, spawn as spawnChild } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Spawn } from '../../../../src/adapters/programs/run-program.ts';
import type { PaneTarget, TmuxActuator } from '../../../../src/ports/actuator.ts';
import type { PrivateTmux } from '../../../support/private-tmux.ts';
import { until } from '../../../support/until.ts';
import { openRoom } from '../room.ts';
import { actuatorFor, targetOf, termsOf, untilRuns } from './act-room.ts';

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
  await untilRuns(tmux, paneId, 'sleep');
  return targetOf(tmux, paneId);
}

async function more(command: 'split-window' | 'new-window', at: string): Promise<PaneTarget> {
  const argv = ['-d', '-P', '-F', '#{pane_id}', '-t', at, 'exec sleep 1000'];
  const paneId = await tmux.tmux(command, ...argv);
  await untilRuns(tmux, paneId, 'sleep');
  return targetOf(tmux, paneId);
}

const judge = ({ session }: PaneTarget) => termsOf(actuator, session);
const remove = async (pane: PaneTarget) => actuator.removeSession(await judge(pane));
const OTHER_PANES = { state: 'changed', text: 'its panes are not the same any more' };

describe('removing a session', () => {
  it('S1: removes exactly that one, not those that its name is the beginning of', async () => {
    const agent = await sleeping('agent-1');
    await sleeping('agent-10');
    await sleeping('agent-1*');
    const terms = await judge(agent);
    expect(await actuator.removeSession(terms)).toEqual({ state: 'done' });
    expect(await names()).toEqual(['agent-1*', 'agent-10']);
    expect(await actuator.removeSession(terms)).toEqual({ state: 'changed', text: 'it is gone' });
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
    await more('new-window', `${first.session.sessionId}:5`);
    await more('new-window', `${first.session.sessionId}:2`);
    await more('split-window', first.paneId);
    const terms = await judge(first);
    expect(terms.stance.panes).toHaveLength(4);
    expect(await actuator.removeSession(terms)).toEqual({ state: 'done' });
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
    const alone = await judge(one);
    await more('split-window', one.paneId);
    expect(await actuator.removeSession(alone)).toEqual(OTHER_PANES);
    const both = await judge(one);
    await more('new-window', `${one.session.sessionId}:`);
    expect(await actuator.removeSession(both)).toEqual(OTHER_PANES);
    expect(await names()).toEqual(['shared']);
    expect(await remove(one)).toEqual({ state: 'done' });
  });

  it('S39: touches nothing when another process runs in a pane', async () => {
    const one = await sleeping('shared');
    const terms = await judge(one);
    await tmux.tmux('respawn-pane', '-k', '-t', one.paneId, 'sleep 1000');
    expect(await actuator.removeSession(terms)).toEqual(OTHER_PANES);
    expect(await names()).toEqual(['shared']);
  });

  it('S39: touches nothing when a pane is added right before tmux is asked to remove it', async () => {
    const one = await sleeping('shared');
    let calls = 0;
    const spawn: Spawn = (file, argv, options) => {
      calls += 1;
      const split = ['-S', tmux.socketPath, 'split-window', '-d', '-t', one.paneId, 'sleep 1000'];
      if (calls === 1) execFileSync('tmux', split);
      return spawnChild(file, argv, options);
    };
    const slow = actuatorFor(tmux, {}, { spawn });
    expect(await slow.removeSession(await judge(one))).toEqual(OTHER_PANES);
    expect(calls).toBe(1);
    expect(await names()).toEqual(['shared']);
  });

  it('S2: does not touch a new session of the same name', async () => {
    await sleeping('other');
    const terms = await judge(await sleeping('same'));
    await tmux.tmux('kill-session', '-t', '=same');
    await sleeping('same');
    expect(await actuator.removeSession(terms)).toEqual({ state: 'changed', text: 'it is gone' });
    expect(await names()).toEqual(['other', 'same']);
  });

  it('S3: does not touch the session that has all its ids on a new server', async () => {
    const old = await sleeping('same');
    await tmux.killServer();
    const now = await sleeping('same');
    const { stance, aside } = await judge(now);
    const session = { ...now.session, server: old.session.server };
    expect(await actuator.removeSession({ stance: { ...stance, session }, aside })).toEqual({
      state: 'changed',
      text: 'another tmux server runs in its place',
    });
    expect(await names()).toEqual(['same']);
  });

  it('S51: of grouped sessions removes only the one, and the windows live on', async () => {
    const one = await sleeping('first');
    const window = await more('new-window', `${one.session.sessionId}:`);
    await tmux.tmux('new-session', '-d', '-s', 'second', '-t', '=first');
    expect(await remove(one)).toEqual({ state: 'done' });
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
    expect(await remove(one)).toEqual({ state: 'done' });
    expect(await tmux.tmux('list-panes', '-t', '=second:7', '-F', '#{pane_id}')).toBe(one.paneId);
  });

  it('removes dead panes too', async () => {
    const one = await sleeping('kept');
    await sleeping('other');
    await tmux.tmux('set-option', '-w', '-t', one.paneId, 'remain-on-exit', 'on');
    process.kill(one.pid, 'SIGKILL');
    await until(
      'it is dead',
      () => tmux.tmux('display-message', '-p', '-t', one.paneId, '#{pane_dead}'),
      (dead) => dead === '1',
    );
    expect(await remove(one)).toEqual({ state: 'done' });
    expect(await names()).toEqual(['other']);
  });

  it('S55: refuses what is no id, and no panes at all', async () => {
    const one = await sleeping('shared');
    const { stance, aside } = await judge(one);
    const session = { ...one.session, sessionId: 'shared' };
    expect(await actuator.stance(session)).toMatchObject({ state: 'failed' });
    const odd = [
      { ...stance, session },
      { ...stance, panes: [] },
      { ...stance, written: {} },
      { ...stance, written: { ...stance.written, motion: '#(id)' } },
    ];
    for (const stance of odd) {
      expect(await actuator.removeSession({ stance, aside })).toMatchObject({ state: 'failed' });
    }
    expect(await names()).toEqual(['shared']);
  });
});
