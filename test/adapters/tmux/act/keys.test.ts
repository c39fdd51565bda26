import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Acted, PaneTarget, TmuxActuator } from '../../../../src/ports/actuator.ts';
import type { PrivateTmux } from '../../../support/private-tmux.ts';
import { until } from '../../../support/until.ts';
import { openRoom } from '../room.ts';
import { actuatorFor, bareTerms, hearing, listeningPane, read, targetOf, termsOf } from './act-room.ts';

const room = openRoom();
let tmux: PrivateTmux;
let actuator: TmuxActuator;
beforeEach(() => {
  tmux = room.newServer();
  actuator = actuatorFor(tmux);
});

const type = (pane: PaneTarget, text: string): Promise<Acted> => actuator.type(pane, text, bareTerms(pane));
const press = (pane: PaneTarget, key: 'Enter' | 'BSpace'): Promise<Acted> =>
  actuator.press(pane, key, bareTerms(pane));

describe('typing', () => {
  it.each([
    '/exit',
    'foo;',
    ';',
    '\\;',
    'a ; kill-server ; b',
    `it's "quoted" \\ and $HOME ~ {x} \`id\``,
    '-l',
    '--',
    'Enter',
    'C-c',
    '#{pid} ##{pid} #[fg=red] %if %H',
    'ünïcödé 会話 e\u0301 👩‍👩‍👧 \u{10ffff}',
    ' leading and trailing ',
  ])('S55: types %j as it is', async (text) => {
    const { pane, heard } = await listeningPane(tmux, 'ears');
    expect(await type(pane, text)).toEqual({ state: 'done' });
    expect(await press(pane, 'Enter')).toEqual({ state: 'done' });
    expect(await heard(Buffer.byteLength(text) + 1)).toBe(`${text}\r`);
  });

  it('types 2048 bytes and not one more', async () => {
    const { pane, heard } = await listeningPane(tmux, 'ears');
    expect(await type(pane, 'x'.repeat(2049))).toMatchObject({ state: 'failed' });
    expect(await type(pane, `${'é'.repeat(1023)};;`)).toEqual({ state: 'done' });
    expect(await heard(2048)).toBe(`${'é'.repeat(1023)};;`);
  });

  it('S55: runs nothing that the text names', async () => {
    const { pane, heard } = await listeningPane(tmux, 'ears');
    const file = join(tmux.folder, 'hacked');
    const text = `#(touch ${file}) $(touch ${file}) '; run-shell 'touch ${file}' ;`;
    expect(await type(pane, text)).toEqual({ state: 'done' });
    expect(await heard(Buffer.byteLength(text))).toBe(text);
    expect(existsSync(file)).toBe(false);
  });

  it.each(['two\nlines', 'a\rb', '\u001b[A', '\u0003', '\u0085', ''])('S55: never types %j', async (text) => {
    const { pane, heard } = await listeningPane(tmux, 'ears');
    expect(await type(pane, text)).toMatchObject({ state: 'failed' });
    await press(pane, 'BSpace');
    expect(await heard(1)).toBe('\u007f');
  });

  it('S4: reaches a renamed session by its ids', async () => {
    const { pane, heard } = await listeningPane(tmux, 'before');
    await tmux.tmux('rename-session', '-t', '=before', 'after');
    await tmux.session('before', 'sleep', '1000');
    expect(await type(pane, 'x')).toEqual({ state: 'done' });
    expect(await heard(1)).toBe('x');
  });

  it('S18: reaches a pane that is not the active one, in a window that is not the current one', async () => {
    const { pane, heard } = await listeningPane(tmux, 'ears');
    await tmux.tmux('split-window', '-t', pane.paneId, 'sleep 1000');
    await tmux.tmux('new-window', '-t', `${pane.session.sessionId}:`, 'sleep 1000');
    expect(await type(pane, 'x')).toEqual({ state: 'done' });
    expect(await heard(1)).toBe('x');
  });

  it('S51: reaches a pane through either of two grouped sessions, and not through one that is gone', async () => {
    const { pane, heard } = await listeningPane(tmux, 'first');
    await tmux.tmux('new-session', '-d', '-s', 'second', '-t', '=first');
    const format = '#{session_id} #{session_created}';
    const [id = '', created] = (await tmux.tmux('display-message', '-p', '-t', '=second:', format)).split(
      ' ',
    );
    const second = { ...pane.session, sessionId: id, createdAtSeconds: Number(created) };
    const both = [await termsOf(actuator, pane.session), await termsOf(actuator, second)] as const;
    expect(await actuator.type(pane, 'a', both[0])).toEqual({ state: 'done' });
    expect(await actuator.type({ ...pane, session: second }, 'b', both[1])).toEqual({ state: 'done' });
    await tmux.tmux('kill-session', '-t', id);
    expect(await actuator.type({ ...pane, session: second }, 'c', both[1])).toMatchObject({
      state: 'changed',
    });
    const alone = await termsOf(actuator, pane.session);
    expect(await actuator.type(pane, 'd', alone)).toEqual({ state: 'done' });
    expect(await heard(3)).toBe('abd');
  });
});

describe('what has changed since it was judged', () => {
  /** Neither text nor Enter may arrive; what is typed afterwards by the test shows that the pane hears at all. */
  async function expectSilence(
    { pane, heard }: Awaited<ReturnType<typeof listeningPane>>,
    text: string,
    undo: () => Promise<unknown>,
  ) {
    const said = expect.stringContaining(text);
    expect(await type(pane, 'x')).toEqual({ state: 'changed', text: said });
    expect(await press(pane, 'Enter')).toEqual({ state: 'changed', text: said });
    await undo();
    await tmux.tmux('send-keys', '-t', pane.paneId, '-l', 'y');
    expect(await heard(1)).toBe('y');
  }

  it('S39: types nothing into copy mode', async () => {
    const ears = await listeningPane(tmux, 'ears');
    const { paneId } = ears.pane;
    await tmux.tmux('copy-mode', '-t', paneId);
    await expectSilence(ears, 'copy mode', () => tmux.tmux('send-keys', '-t', paneId, '-X', 'cancel'));
  });

  it('S39: types nothing where another process has taken the pane', async () => {
    const ears = await listeningPane(tmux, 'ears');
    const { paneId } = ears.pane;
    const file = join(tmux.folder, 'other');
    await tmux.tmux('respawn-pane', '-k', '-t', paneId, hearing(file));
    await until('it listens', () => read(file) !== null);
    expect(await type(ears.pane, '/exit')).toEqual({
      state: 'changed',
      text: 'another process runs in the pane',
    });
    expect(await type(await targetOf(tmux, paneId), 'y')).toEqual({ state: 'done' });
    expect(await until('it was heard', () => read(file))).toBe('y');
  });

  it('S4: types nothing into a pane that was moved to another session', async () => {
    const ears = await listeningPane(tmux, 'ears');
    const { paneId } = ears.pane;
    await tmux.tmux('split-window', '-d', '-t', paneId, 'sleep 1000');
    await tmux.session('elsewhere', 'sleep', '1000');
    await tmux.tmux('join-pane', '-d', '-s', paneId, '-t', '=elsewhere:');
    await expectSilence(ears, 'gone', async () => {});
  });

  it('types nothing where other panes would hear it too', async () => {
    const ears = await listeningPane(tmux, 'ears');
    const { paneId } = ears.pane;
    const file = join(tmux.folder, 'neighbour');
    await tmux.tmux('split-window', '-d', '-t', paneId, hearing(file));
    await until('it listens', () => read(file) !== null);
    await tmux.tmux('set-option', '-w', '-t', paneId, 'synchronize-panes', 'on');
    await expectSilence(ears, 'other panes', () =>
      tmux.tmux('set-option', '-w', '-t', paneId, 'synchronize-panes', 'off'),
    );
    expect(read(file)).toBe('');
  });

  it('types nothing into a pane that takes no input', async () => {
    const ears = await listeningPane(tmux, 'ears');
    const { paneId } = ears.pane;
    await tmux.tmux('select-pane', '-d', '-t', paneId);
    await expectSilence(ears, 'no input', () => tmux.tmux('select-pane', '-e', '-t', paneId));
  });

  it('S44: says that the program of a kept pane has ended', async () => {
    const { paneId } = await tmux.session('kept', 'sh', '-c', 'read line');
    await tmux.tmux('set-option', '-w', '-t', paneId, 'remain-on-exit', 'on');
    const pane = await targetOf(tmux, paneId);
    expect(await press(pane, 'Enter')).toEqual({ state: 'done' });
    await until(
      'it is dead',
      () => tmux.tmux('display-message', '-p', '-t', paneId, '#{pane_dead}'),
      (dead) => dead === '1',
    );
    expect(await press(pane, 'Enter')).toEqual({ state: 'changed', text: 'its program has ended' });
  });

  it('S2: does not take a new session of the same name for the old one', async () => {
    await tmux.session('other', 'sleep', '1000');
    const { pane } = await listeningPane(tmux, 'same');
    await tmux.tmux('kill-session', '-t', '=same');
    const { heard } = await listeningPane(tmux, 'same');
    expect(await type(pane, 'x')).toEqual({ state: 'changed', text: 'it is gone' });
    await tmux.tmux('send-keys', '-t', '=same:', '-l', 'y');
    expect(await heard(1)).toBe('y');
  });

  it('S3: does not take a new server for the old one, though every id is the same', async () => {
    const { pane } = await listeningPane(tmux, 'same');
    await tmux.killServer();
    const { pane: now, heard } = await listeningPane(tmux, 'same');
    expect(now.paneId).toBe(pane.paneId);
    expect(now.session.sessionId).toBe(pane.session.sessionId);
    // Of what tells them apart, everything but the server is made equal: that alone has to be enough.
    const asked = { ...now, session: { ...now.session, server: pane.session.server } };
    expect(await type(asked, 'x')).toEqual({
      state: 'changed',
      text: 'another tmux server runs in its place',
    });
    await tmux.tmux('send-keys', '-t', now.paneId, '-l', 'y');
    expect(await heard(1)).toBe('y');
  });

  it('S3: does not take a session of another time for the judged one', async () => {
    const { pane, heard } = await listeningPane(tmux, 'same');
    const earlier = { ...pane.session, createdAtSeconds: pane.session.createdAtSeconds - 1 };
    expect(await type({ ...pane, session: earlier }, 'x')).toEqual({
      state: 'changed',
      text: 'another session has its id',
    });
    await tmux.tmux('send-keys', '-t', pane.paneId, '-l', 'y');
    expect(await heard(1)).toBe('y');
  });

  it('S33: a server that is gone is a change, and one that does not answer is none', async () => {
    const { pane } = await listeningPane(tmux, 'ears');
    process.kill(tmux.serverPid, 'SIGSTOP');
    const hasty = actuatorFor(tmux, {}, { timeoutMs: 300 });
    expect(await hasty.type(pane, 'x', bareTerms(pane))).toEqual({
      state: 'failed',
      text: 'tmux did not answer in time',
    });
    process.kill(tmux.serverPid, 'SIGCONT');
    await tmux.killServer();
    expect(await type(pane, 'x')).toEqual({ state: 'changed', text: 'its tmux server is gone' });
  });

  it('S55: puts nothing into a command that is no id', async () => {
    const { pane, heard } = await listeningPane(tmux, 'ears');
    const { session } = pane;
    for (const odd of [
      { ...pane, paneId: '=ears:' },
      { ...pane, paneId: '%1,#(id)' },
      { ...pane, session: { ...session, sessionId: 'ears' } },
      { ...pane, session: { ...session, createdAtSeconds: Number.NaN } },
      { ...pane, session: { ...session, server: { ...session.server, socketPath: 'relative' } } },
    ]) {
      expect(await type(odd, 'x')).toMatchObject({ state: 'failed' });
    }
    await tmux.tmux('send-keys', '-t', pane.paneId, '-l', 'y');
    expect(await heard(1)).toBe('y');
  });
});
