import { afterAll, beforeAll, describe, expect } from 'vitest';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { lives } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { agentsIn, paneSettings, startWorker } from './comes-back.ts';
import { SleepKiller } from './sleep-killer.ts';
import { hibernate } from './sleep-scene.ts';

describe.concurrent('what somebody set on a pane since it was held stays', () => {
  let killer: SleepKiller;
  beforeAll(async () => {
    killer = await SleepKiller.prepare();
  });
  afterAll(() => killer.remove());

  test.for(['run', 'by hand'] as const)(
    'when it is released by a recovery (%s)',
    async (how, { staying: room, hands }) => {
      if (how === 'run') await startWorker({ room, hands }, 'leaves');
      else await room.agent('worker', 'leaves');
      expect(await killer.kill(room, 'hibernate', ['after', 'hold-pane'])).toBe('killed');
      const pane = ['-p', '-t', '=worker:'];
      await room.tmux.tmux('set-option', ...pane, 'remain-on-exit', 'failed');
      await room.tmux.tmux('set-hook', ...pane, 'pane-died[5]', 'display-message hi');
      expect(await recoverAll(hands)).toHaveLength(1);
      expect(agentsIn(room)).toHaveLength(1);
      const settings = await paneSettings(room);
      expect(settings).toContain('remain-on-exit failed');
      expect(settings).toContain('pane-died[5] display-message hi');
      // Its own hook is there again only for what it started itself.
      expect(settings.includes('pane-died[900] run-shell')).toBe(how === 'run');
      expect(settings).not.toContain('pane-died[900] set-option');
    },
  );

  test.for(['its session goes', 'its session stays'] as const)(
    'it is released by a recovery where somebody moved it since (%s)',
    async (which, { staying: room, hands }) => {
      const { paneId } = await room.agent('worker', 'leaves');
      expect(await killer.kill(room, 'hibernate', ['after', 'hold-pane'])).toBe('killed');
      if (which === 'its session stays') await room.tmux.tmux('split-window', '-d', '-t', '=worker:', 'cat');
      await room.tmux.tmux('join-pane', '-d', '-s', paneId, '-t', '=stays:');
      expect(await recoverAll(hands)).toHaveLength(1);
      expect(agentsIn(room)).toHaveLength(1);
      expect(await paneSettings(room, paneId)).not.toMatch(/remain-on-exit|pane-died/);
    },
  );

  test('it is released by the hibernation itself where somebody moves it meanwhile', async ({
    staying: room,
    hands,
  }) => {
    const { pid, paneId } = await room.agent('worker', 'done+deaf');
    const signal: typeof hands.tmux.signal = async (...given) => {
      const sent = await hands.tmux.signal?.(...given);
      await room.tmux.tmux('join-pane', '-d', '-s', paneId, '-t', '=stays:');
      return sent ?? { state: 'failed', text: 'it cannot' };
    };
    const moved = { ...hands, tmux: { ...hands.tmux, signal } };
    expect(await hibernate({ room, hands: moved })).toMatchObject({ state: 'aborted' });
    expect(lives(pid)).toBe(true);
    expect(await paneSettings(room, paneId)).not.toMatch(/remain-on-exit|pane-died/);
  });

  test('when it is released by the hibernation itself', async ({ staying: room, hands }) => {
    const { pid, paneId } = await room.agent('worker', 'done+deaf');
    const setEnd: typeof hands.tmux.setEnd = async (pane, how) => {
      if (how !== 'held')
        await room.tmux.tmux('set-hook', '-p', '-t', paneId, 'pane-died[900]', 'display-message hi');
      return hands.tmux.setEnd(pane, how);
    };
    const changed = { ...hands, tmux: { ...hands.tmux, setEnd } };
    expect(await hibernate({ room, hands: changed })).toMatchObject({ state: 'failed' });
    expect(lives(pid)).toBe(true);
    const settings = await paneSettings(room);
    expect(settings).toContain('pane-died[900] display-message hi');
    expect(settings).not.toContain('remain-on-exit');
  });
});
