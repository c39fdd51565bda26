import { beforeEach, describe, expect, it } from 'vitest';
import { ABOVE_IT, captureHistory } from '../../../../src/adapters/tmux/act/history.ts';
import { createTmuxRunner } from '../../../../src/adapters/tmux/run-tmux.ts';
import type { TmuxActuator } from '../../../../src/ports/actuator.ts';
import type { PrivateTmux } from '../../../support/private-tmux.ts';
import { until } from '../../../support/until.ts';
import { UID } from '../look.ts';
import { openRoom } from '../room.ts';
import { actuatorFor, targetOf } from './act-room.ts';

const room = openRoom();
let tmux: PrivateTmux;
let actuator: TmuxActuator;
beforeEach(() => {
  tmux = room.newServer();
  actuator = actuatorFor(tmux);
});

const reachOf = () => ({
  run: createTmuxRunner({ env: tmux.env, timeoutMs: 15_000 }),
  uid: UID,
  timeoutMs: 15_000,
  folderProblem: () => null,
});

async function showing(script: string, name = 'shown', last = 'END') {
  const { paneId } = await tmux.session(name, 'sh', '-c', `${script}; echo ${last}; exec sleep 1000`);
  await until(
    'all is shown',
    () => tmux.tmux('capture-pane', '-p', '-t', paneId),
    (text) => text.includes(last),
  );
  return targetOf(tmux, paneId);
}

describe('the history of a pane', () => {
  it('goes back to its first line, the screen included', async () => {
    const pane = await showing('seq 1 500');
    const history = await actuator.history(pane);
    const lines = Array.from({ length: 500 }, (_, at) => String(at + 1));
    expect(history).toEqual({ state: 'captured', text: `${[...lines, 'END'].join('\n')}\n`, isCut: false });
  });

  it('keeps long lines in one piece, and empty ones', async () => {
    const long = '0123456789'.repeat(50);
    const pane = await showing(`echo ${long}; echo; echo 会話`);
    expect(await actuator.history(pane)).toMatchObject({ text: `${long}\n\n会話\nEND\n` });
  });

  it('S19: is what the program wrote, also while somebody reads in it', async () => {
    const pane = await showing('seq 1 100');
    await tmux.tmux('copy-mode', '-t', pane.paneId);
    await tmux.tmux('send-keys', '-t', pane.paneId, '-X', 'history-top');
    expect(await actuator.history(pane)).toMatchObject({
      text: expect.stringMatching(/^1\n2\n.*\nEND\n$/s),
    });
  });

  describe('below a full-screen program', () => {
    const ALTERNATE = "printf '\\033[?1049h\\033[H'";

    it('is kept with its saved screen, and then what the program shows', async () => {
      const pane = await showing(`seq 1 500; ${ALTERNATE}; echo full-screen`);
      const lines = Array.from({ length: 500 }, (_, at) => String(at + 1));
      expect(await actuator.history(pane)).toEqual({
        ...{ state: 'captured', isCut: false },
        text: `${[...lines, ABOVE_IT, 'full-screen', 'END'].join('\n')}\n`,
      });
    });

    it('is kept where nothing has scrolled yet, and where nothing lies below or above', async () => {
      const pane = await showing(`echo result; echo; echo more; ${ALTERNATE}; echo full-screen`);
      expect(await actuator.history(pane)).toMatchObject({
        text: `result\n\nmore\n${ABOVE_IT}\nfull-screen\nEND\n`,
      });
      const bare = await showing(ALTERNATE, 'bare', 'NEXT');
      expect(await actuator.history(bare)).toMatchObject({ text: `${ABOVE_IT}\nNEXT\n` });
      const empty = await tmux.session('empty', 'sh', '-c', `echo result; ${ALTERNATE}; exec sleep 1000`);
      await until(
        'it has the alternate screen',
        () => tmux.tmux('display-message', '-p', '-t', empty.paneId, '#{alternate_on}'),
        (isOn) => isOn === '1',
      );
      const pieces = await actuator.history(await targetOf(tmux, empty.paneId));
      expect(pieces).toMatchObject({ text: 'result\n' });
    });

    it('is what it was once the program has left', async () => {
      const pane = await showing(`echo result; ${ALTERNATE}; echo full-screen; printf '\\033[?1049l'`);
      expect(await actuator.history(pane)).toMatchObject({ text: 'result\nEND\n' });
    });

    it('S57: is cut from its beginning where it is too much, both screens last', async () => {
      const pane = await showing(`seq 1 1900; ${ALTERNATE}; echo full-screen`);
      const reach = reachOf();
      const within = (bytes: number) => captureHistory(reach, pane, bytes);
      const cut = await within(6000);
      expect(cut).toMatchObject({
        ...{ state: 'captured', isCut: true },
        text: expect.stringMatching(new RegExp(`\n1899\n1900\n${ABOVE_IT}\nfull-screen\nEND\n$`)),
      });
      expect(cut).not.toMatchObject({ text: expect.stringMatching(/^1\n/) });
      // Without any history, both screens are still there.
      expect(await within(1000)).toMatchObject({
        ...{ state: 'captured', isCut: true },
        text: expect.stringMatching(new RegExp(`^18\\d\\d\n.*\n1900\n${ABOVE_IT}\nfull-screen\nEND\n$`, 's')),
      });
      expect(await within(20)).toMatchObject({ state: 'failed' });
    });
  });

  it('S44: is there for a dead pane', async () => {
    const pane = await showing('seq 1 3');
    await tmux.tmux('set-option', '-w', '-t', pane.paneId, 'remain-on-exit', 'on');
    process.kill(pane.pid, 'SIGKILL');
    await until(
      'it is dead',
      () => tmux.tmux('display-message', '-p', '-t', pane.paneId, '#{pane_dead}'),
      (dead) => dead === '1',
    );
    expect(await actuator.history(pane)).toMatchObject({ text: expect.stringContaining('1\n2\n3\nEND\n') });
  });

  it('S57: is cut from its beginning where it is too much', async () => {
    const pane = await showing('seq 1 1900');
    const reach = reachOf();
    const cut = await captureHistory(reach, pane, 6000);
    expect(cut).toMatchObject({ state: 'captured', isCut: true });
    const lines = cut.state === 'captured' ? cut.text.split('\n') : [];
    expect(lines.slice(-3)).toEqual(['1900', 'END', '']);
    expect(lines.length).toBeGreaterThan(1000);
    expect(lines[0]).not.toBe('1');
    const none = await captureHistory(reach, pane, 20);
    expect(none).toMatchObject({ state: 'failed' });
  });

  it('S2: is never that of another process', async () => {
    const pane = await showing('seq 1 3');
    await tmux.tmux('respawn-pane', '-k', '-t', pane.paneId, 'sleep 1000');
    expect(await actuator.history(pane)).toEqual({ state: 'absent' });
  });

  it('S32: a server that does not answer is no absence', async () => {
    const pane = await showing('seq 1 3');
    process.kill(tmux.serverPid, 'SIGSTOP');
    const hasty = actuatorFor(tmux, {}, { timeoutMs: 300 });
    expect(await hasty.history(pane)).toMatchObject({ state: 'failed' });
    expect(await hasty.layout(pane.session)).toBe(null);
    process.kill(tmux.serverPid, 'SIGCONT');
  });
});
