import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { until } from '../support/until.ts';
import { RestoreRoom } from './restore-room.ts';

const WINDOWS = '#{window_index} #{window_name} #{window_panes} #{pane_start_command}';

class WindowRoom extends RestoreRoom {
  async windows(): Promise<string[]> {
    return (await this.tmux.tmux('list-windows', '-t', '=one', '-F', WINDOWS)).split('\n').slice(1);
  }

  /** A session with six more windows, lost with its server, and a new server in its place. */
  async lost(): Promise<{ id: string; before: string[] }> {
    const id = await this.agent('one');
    for (const index of [1, 2, 3, 4, 5, 6])
      await this.tmux.tmux('new-window', '-d', '-n', `w${index}`, '-t', `=one:${index}`, 'tail -f /dev/null');
    await this.tmux.tmux('split-window', '-d', '-t', '=one:4', 'tail -f /dev/null');
    await this.seen('one');
    const before = await this.windows();
    await this.crash();
    await this.tmux.session('stays');
    return { id, before };
  }

  /**
   * Kills rollcall when tmux makes so many windows. `whom`: rollcall alone, or the tmux client too, whose commands tmux then
   * drops; it waits for that in the middle of them.
   */
  async killAt(turn: number, whom: 'rollcall' | 'client'): Promise<void> {
    const script = join(this.tmux.folder, 'kill');
    const killed = whom === 'client' ? '$parent $client' : '$parent';
    writeFileSync(
      script,
      `#!/bin/bash
echo x >> "$0.turns"
[ "$(wc -l < "$0.turns")" = ${turn} ] || exit 0
connections() { ls -l /proc/$1/fd | grep -c 'socket:'; }
for folder in /proc/[0-9]*; do
  client=\${folder#/proc/}
  [[ $(tr '\\0' ' ' < $folder/cmdline) == "tmux -u -S ${this.tmux.socketPath} "* ]] || continue
  parent=$(sed 's/^.*) //' $folder/stat | cut -d' ' -f2)
  [[ $(tr '\\0' ' ' < /proc/$parent/cmdline) == *" restore --yes "* ]] || continue
  had=$(connections $1)
  kill -9 ${killed}
  while [ -e /proc/$parent ] && ! grep -q ') Z' /proc/$parent/stat; do sleep 0.05; done
  ${whom === 'client' ? '# tmux has dropped it before it goes on.\n  while [ "$(connections $1)" = "$had" ]; do sleep 0.05; done' : ''}
done 2> "$0.errors"
`,
      { mode: 0o755 },
    );
    await this.tmux.tmux('set-hook', '-g', 'after-new-window', `run-shell '${script} #{pid}'`);
  }

  /** Restores, and is killed on the way. */
  async killed(): Promise<void> {
    expect(await this.cli('restore', '--yes', ...this.server)).toMatchObject({ exitCode: null });
    await this.tmux.tmux('set-hook', '-gu', 'after-new-window');
  }
}

const test = base.extend<{ room: WindowRoom }>({
  room: async ({ task: _ }, use) => {
    const room = new WindowRoom();
    await use(room);
    room.leave();
  },
});

describe.concurrent('S63: restore, killed while windows are laid out', () => {
  test('leaves all of them: tmux makes them in one command', async ({ room }) => {
    const { id, before } = await room.lost();
    await room.killAt(2, 'rollcall');
    await room.killed();
    await until(
      'all windows are there',
      () => room.windows(),
      (windows) => windows.length === before.length,
    );
    expect((await room.restore('--yes')).sessions).toEqual([]);
    expect(await room.windows()).toEqual(before);
    await until('it runs', () => room.resumed().length === 1);
    expect(room.resumed()).toEqual([id]);
    await room.crash();
    await until(
      'it is lost again, and restored',
      () => room.restore('--yes'),
      ({ sessions }) => sessions.length === 1,
    );
    expect(await room.windows()).toEqual(before);
    await until('it runs again', () => room.resumed().length === 1);
    // By this the room knows the new server, and ends it.
    await room.tmux.session('stays');
  });

  test('the next command makes the rest, each once, and leaves what somebody has opened since', async ({
    room,
  }) => {
    const { id, before } = await room.lost();
    await room.killAt(3, 'client');
    await room.killed();
    const some = await room.windows();
    expect(some.length).toBeGreaterThan(1);
    expect(some.length).toBeLessThan(before.length);
    // Somebody goes on in it: at a place of its own, at one that is still to be made, and in one that was made.
    const mine = ['9 mine 1 "sleep 1000"', '5 mine 1 "sleep 1000"'];
    for (const index of [9, 5])
      await room.tmux.tmux('new-window', '-n', 'mine', '-t', `=one:${index}`, 'sleep 1000');
    await room.tmux.tmux('kill-window', '-t', '=one:1');

    const next = await room.cli('restore', '--yes', ...room.server);
    expect(next).toMatchObject({ exitCode: 0, stdout: 'nothing is lost\n' });
    expect(next.stderr).toContain("window 5 'w5' is not made: another one has its place");
    const after = await room.windows();
    const expected = [...before.filter((row) => !/^[15] /.test(row)), ...mine].sort();
    expect(after.sort()).toEqual(expected);
    expect(await room.tmux.tmux('display-message', '-p', '-t', '=one:', '#{window_index}')).toBe('5');
    const log = await room.done('log', '--json');
    expect(log).toContain("window 5 'w5' is not made: another one has its place");
    expect(log).toContain("window 1 'w1' has 0 of its 1 panes");
    await until('it runs', () => room.resumed().length === 1);
    expect(room.resumed()).toEqual([id]);
    await room.seen('one');
    expect((await room.windows()).sort()).toEqual(expected);
    await room.done('verify');
  });
});
