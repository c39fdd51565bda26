import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { until } from '../../../support/until.ts';
import { actuatorFor, targetOf } from './act-room.ts';
import { openStartRoom, STAMP } from './start-room.ts';

const room = openStartRoom();
const KEY = 'swordfish-of-tuesday';

describe('a program that is started in a pane', () => {
  it('takes the place of the process that was meant, with its variables and its stamp', async () => {
    const { paneId, sessionId } = await room.started();
    const pane = await targetOf(room.tmux, paneId);
    const { name: _, ...wish } = room.wish({
      ...{ argv: ['sleep', '1001'], env: { TOKEN: KEY }, stamp: { ...STAMP, run: 'second' } },
      caller: { values: { CALLER: 'here' }, leftToServer: [] },
    });
    const answer = await room.actuator.startInPane(pane, wish);
    if (answer.state !== 'started') throw new Error(answer.text);
    expect(answer).toMatchObject({ paneId, sessionId, name: 'worker' });
    expect(answer.pid).not.toBe(pane.pid);
    const environment = await until(
      'it runs',
      () => readFileSync(`/proc/${answer.pid}/environ`, 'utf8'),
      // The last to be set, by the `env` before the program.
      (text) => text.includes('ROLLCALL_RUN=second'),
    );
    for (const variable of [`TOKEN=${KEY}`, 'CALLER=here']) {
      expect(environment.split('\0')).toContain(variable);
    }
    expect(await room.stampOf(paneId)).toBe('second|somebody|worker|T-1');
    expect(await room.ask(paneId, '#{pane_start_command}')).not.toContain(KEY);
  });

  it('leaves the pane alone where another process is in it', async () => {
    const { paneId } = await room.started();
    const pane = await targetOf(room.tmux, paneId);
    const { name: _, ...wish } = room.wish({ argv: ['sleep', '1001'] });
    expect(await room.actuator.startInPane({ ...pane, pid: pane.pid + 1 }, wish)).toEqual({
      ...{ state: 'changed', text: 'another process runs in the pane' },
    });
    expect(await room.actuator.startInPane({ ...pane, paneId: 'worker' }, wish)).toMatchObject({
      state: 'failed',
    });
    expect(await room.actuator.startInPane(pane, { ...wish, cwd: '/nowhere' })).toMatchObject({
      ...{ state: 'failed', text: 'no such folder: /nowhere' },
    });
    expect((await targetOf(room.tmux, paneId)).pid).toBe(pane.pid);
  });

  it('also where the program that was there has ended, and has its end written down', async () => {
    const { paneId } = await room.started({ argv: ['true'], remain: true });
    await until(
      'it has ended',
      async () => {
        // tmux before 3.6 can miss the death of a child; a child of its own that ends makes it look again.
        await room.tmux.tmux('run-shell', '-b', 'true');
        return room.ask(paneId, '#{pane_dead}');
      },
      (dead) => dead === '1',
    );
    const ends = { folder: room.tmux.folder, tmuxPath: '/usr/bin/tmux', programPath: '/nowhere' };
    const actuator = actuatorFor(room.tmux, {}, { ends });
    const pane = await targetOf(room.tmux, paneId);
    const { name: _, ...wish } = room.wish({ argv: ['sleep', '1001'], remain: true });
    expect(await actuator.startInPane(pane, wish)).toMatchObject({ state: 'started', paneId });
    expect(await room.ask(paneId, '#{pane_dead}')).toBe('0');
    expect(await room.tmux.tmux('show-hooks', '-p', '-t', paneId)).toContain(STAMP.run);
  });
});
