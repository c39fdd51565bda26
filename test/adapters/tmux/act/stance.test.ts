import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PaneTarget, SetAside, Terms, TmuxActuator } from '../../../../src/ports/actuator.ts';
import type { PrivateTmux } from '../../../support/private-tmux.ts';
import { until } from '../../../support/until.ts';
import { openRoom } from '../room.ts';
import { actuatorFor, targetOf, termsOf, untilRuns } from './act-room.ts';

const room = openRoom();
let tmux: PrivateTmux;
let actuator: TmuxActuator;
let clients: ChildProcess[] = [];
beforeEach(() => {
  tmux = room.newServer();
  actuator = actuatorFor(tmux);
});
afterEach(() => {
  for (const client of clients) client.kill('SIGKILL');
  clients = [];
});

/** A shell that echoes what is typed, and stands still. */
async function shell(name = 'one'): Promise<PaneTarget> {
  const { paneId } = await tmux.session(name, 'env', 'PS1=$ ', 'bash', '--norc', '--noprofile', '-i');
  await until(
    'it is at its prompt',
    () => tmux.tmux('capture-pane', '-p', '-t', paneId),
    (text) => text.startsWith('$'),
  );
  return targetOf(tmux, paneId);
}

/** A program that is attached, as an editor's terminal may be. */
async function attach(name: string): Promise<void> {
  clients.push(
    spawn('tmux', ['-S', tmux.socketPath, '-C', 'attach', '-t', `=${name}`], {
      stdio: ['pipe', 'ignore', 'ignore'],
    }),
  );
  await until(
    'it is attached',
    () => tmux.tmux('display-message', '-p', '-t', `=${name}:`, '#{session_attached}'),
    (count) => count === '1',
  );
}

const shows = (paneId: string, text: string) =>
  until(
    'it shows',
    () => tmux.tmux('capture-pane', '-p', '-t', paneId),
    (screen) => screen.includes(text),
  );

const without = ({ stance }: Terms, ...aside: SetAside[]): Terms => ({ stance, aside: new Set(aside) });

describe('how a session stands', () => {
  it('is confirmed as long as nothing changes', async () => {
    const { session } = await shell();
    // In a window of its own: a shell whose pane gets smaller writes its prompt again.
    await tmux.tmux('new-window', '-d', '-n', 'other', '-t', `${session.sessionId}:`, 'exec sleep 1000');
    await untilRuns(tmux, '=one:=other', 'sleep');
    const terms = await termsOf(actuator, session);
    expect(terms.stance.panes).toHaveLength(2);
    expect(await actuator.confirm(terms)).toEqual({ state: 'done' });
    expect(await actuator.confirm(terms)).toEqual({ state: 'done' });
  });

  it('S19: tells that somebody is attached, and was; that may be set aside, and nothing else with it', async () => {
    const { session } = await shell();
    const terms = await termsOf(actuator, session);
    await attach('one');
    expect(await actuator.confirm(terms)).toEqual({ state: 'changed', text: 'somebody is attached to it' });
    expect(await actuator.confirm(await termsOf(actuator, session))).toMatchObject({ state: 'changed' });
    clients[0]?.kill('SIGKILL');
    await until(
      'it is gone',
      () => tmux.tmux('display-message', '-p', '-t', '=one:', '#{session_attached}'),
      (count) => count === '0',
    );
    expect(await actuator.confirm(terms)).toEqual({
      state: 'changed',
      text: 'somebody was attached to it just now',
    });
    expect(await actuator.confirm(without(terms, 'attached'))).toEqual({ state: 'done' });
    await tmux.tmux('copy-mode', '-t', '=one:');
    expect(await actuator.confirm(without(terms, 'attached'))).toMatchObject({ state: 'changed' });
  });

  it('S51: tells that somebody is attached through its group', async () => {
    const { session } = await shell();
    const alone = await termsOf(actuator, session);
    await tmux.tmux('new-session', '-d', '-s', 'two', '-t', '=one');
    expect(await actuator.confirm(alone)).toMatchObject({ state: 'changed' });
    const grouped = await termsOf(actuator, session);
    expect(await actuator.confirm(grouped)).toEqual({ state: 'done' });
    await attach('two');
    expect(await actuator.confirm(grouped)).toEqual({ state: 'changed', text: 'somebody is attached to it' });
    expect(await actuator.confirm(without(grouped, 'attached'))).toEqual({ state: 'done' });
  });

  it('tells that it is held, whatever the stamp says', async () => {
    const { session } = await shell();
    const terms = await termsOf(actuator, session);
    for (const stamp of ['0', 'mine, #{pid} }', '1']) {
      await tmux.tmux('set-option', '-t', session.sessionId, '@rollcall_held', stamp);
      expect(await actuator.confirm(terms)).toEqual({ state: 'changed', text: 'it is held' });
    }
    expect(await actuator.confirm(without(terms, 'held'))).toEqual({ state: 'done' });
    await tmux.tmux('set-option', '-t', session.sessionId, '-u', '@rollcall_held');
    expect(await actuator.confirm(terms)).toEqual({ state: 'done' });
  });

  it('S39: stirs where a command begins, something is typed, or a program ends', async () => {
    const { session, paneId } = await shell();
    const stirred = { state: 'stirred', text: expect.stringContaining('moved') };
    let terms = await termsOf(actuator, session);
    await tmux.tmux('send-keys', '-t', paneId, '-l', 'sleep 1000');
    await shows(paneId, 'sleep 1000');
    expect(await actuator.confirm(terms)).toEqual(stirred);
    expect(await actuator.confirm(without(terms, 'motion'))).toEqual({ state: 'done' });
    terms = await termsOf(actuator, session);
    await tmux.tmux('send-keys', '-t', paneId, 'Enter');
    await untilRuns(tmux, paneId, 'sleep');
    expect(await actuator.confirm(terms)).toEqual(stirred);
  });

  it('types and presses only where it is shown', async () => {
    const pane = await shell();
    const terms = await termsOf(actuator, pane.session);
    expect(await actuator.type(pane, 'echo', { ...terms, shown: ['nothing of it'] })).toMatchObject({
      state: 'stirred',
    });
    expect(await actuator.type(pane, 'echo /exit', { ...terms, shown: ['$', '│ ║'] })).toEqual({
      state: 'done',
    });
    await shows(pane.paneId, '/exit');
    expect(await actuator.press(pane, 'Enter', terms)).toMatchObject({ state: 'stirred' });
    const now = { ...(await termsOf(actuator, pane.session)), shown: ['│ echo /exit #{pid} │'] };
    expect(await actuator.press(pane, 'BSpace', now, 5)).toEqual({ state: 'done' });
    await until(
      'it is taken back',
      () => tmux.tmux('capture-pane', '-p', '-t', pane.paneId),
      (screen) => screen.trimEnd() === '$ echo',
    );
  });

  it('types nothing into a pane that the stance does not know', async () => {
    const pane = await shell();
    const terms = await termsOf(actuator, pane.session);
    const { paneId } = await shell('two');
    expect(await actuator.type({ ...pane, paneId }, 'x', terms)).toMatchObject({ state: 'failed' });
  });

  it('compares every pane, or refuses to act', async () => {
    const { session } = await shell();
    const open = async (count: number) => {
      for (let made = 0; made < count; made += 1) {
        await tmux.tmux('new-window', '-d', '-t', `${session.sessionId}:`, 'exec sleep 1000');
      }
      await until(
        'they sleep',
        () => tmux.tmux('list-panes', '-s', '-t', session.sessionId, '-F', '#{pane_current_command}'),
        (commands) => commands.split('\n').filter((command) => command === 'sleep').length === count,
      );
    };
    await open(60);
    const terms = await termsOf(actuator, session);
    expect(await actuator.confirm(terms)).toEqual({ state: 'done' });
    const { motion = '', ...written } = terms.stance.written;
    const many = { ...terms.stance, written: { ...written, motion: motion.repeat(10) } };
    expect(await actuator.removeSession({ ...terms, stance: many })).toEqual({
      state: 'failed',
      text: 'it has too many panes to be compared in one tmux command',
    });
    expect(await tmux.tmux('list-sessions', '-F', '#{session_name}')).toBe('one');
  });
});
