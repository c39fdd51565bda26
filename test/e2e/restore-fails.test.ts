import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { until } from '../support/until.ts';
import { RestoreRoom } from './restore-room.ts';

/** No form of a secret that anything would know. */
const VALUE = 'swordfish-of-thursday';
const FAILS = '#!/bin/bash\necho "login failed for token $TOKEN"\nexit 1\n';
/** Fails only once it is told to. tmux may lose what a program prints that ends before it was read. */
const FAILS_LATE = `#!/bin/bash
until [ -e "$HOME/fail" ]; do sleep 0.1; done
echo "no network, $TOKEN"
until tmux capture-pane -p -t "$TMUX_PANE" | grep -q 'no network'; do sleep 0.1; done
exit 1
`;

class Failing extends RestoreRoom {
  /** What is started as the agent from now on. */
  agentIs(script: string): void {
    writeFileSync(this.claude, script, { mode: 0o755 });
  }

  fail(): void {
    writeFileSync(join(this.home, 'fail'), '');
  }
}

const test = base.extend<{ room: Failing }>({
  room: async ({ task: _ }, use) => {
    const room = new Failing();
    await use(room);
    room.leave();
  },
});

describe.concurrent('endings 12: an agent that does not come back', () => {
  test('what it prints of its variables is neither shown nor recorded, at once or later', async ({
    room,
  }) => {
    await room.agent('one', '--env', `TOKEN=${VALUE}`);
    await room.crash();
    room.agentIs(FAILS);
    const restored = await room.restore('--yes');
    expect(restored.sessions).toMatchObject([{ name: 'one', result: 'failed' }]);
    expect(JSON.stringify(restored)).not.toContain(VALUE);
    const { stdout, stderr } = await room.cli('reopen', 'one');
    // tmux loses some of the output of a program that ends at once.
    expect(stdout + stderr).not.toContain(VALUE);

    room.agentIs(FAILS_LATE);
    await room.done('reopen', 'one');
    room.fail();
    const log = await until(
      'its end is recorded',
      async () => {
        await room.cli('wake', 'nobody');
        return room.done('log', '--json');
      },
      (text) => text.includes('no network'),
    );
    expect(log).toContain('no network, ***');
    expect(log).not.toContain(VALUE);
    expect(await room.done('--json', '--all', ...room.server)).not.toContain(VALUE);
  });

  test('one that fails while another window keeps its session is started again, once, beside it', async ({
    room,
  }) => {
    const id = await room.agent('one');
    await room.tmux.tmux('new-window', '-d', '-n', 'mine', '-t', '=one:', 'exec sleep 1000');
    await room.seen('one');
    await room.crash();
    const works = readFileSync(room.claude, 'utf8');
    room.agentIs(FAILS_LATE);
    expect((await room.restoreAsUser('--yes')).sessions).toMatchObject([{ name: 'one', result: 'restored' }]);
    // It still runs.
    expect((await room.cli('reopen', room.at('one'))).exitCode).not.toBe(0);
    room.fail();
    await until(
      'only the other window is there',
      async () => {
        // tmux may miss an end until somebody looks.
        await room.done('--json', ...room.server);
        return room.tmux.tmux('list-windows', '-t', '=one', '-F', '#{window_name}');
      },
      (names) => names.trim() === 'mine',
    );
    room.agentIs(works);

    expect(await room.done('reopen', room.at('one'))).toContain("session 'one' still stands");
    await until(
      'it is there again',
      () => room.resumed(),
      (ids) => ids.length === 1,
    );
    expect(room.resumed()).toEqual([id]);
    expect((await room.names()).sort()).toEqual(['one', 'one-2']);
    const { exitCode } = await room.cli('reopen', room.at('one'));
    expect(exitCode).not.toBe(0);
    expect(room.resumed()).toEqual([id]);
    expect(room.starts().filter((words) => words.includes('fix it'))).toHaveLength(1);
  });

  test('a pane without a program does not keep its session from being seen', async ({ room }) => {
    await room.agent('one');
    await room.tmux.tmux('split-window', '-d', '-t', '=one:', '');
    const id = crypto.randomUUID();
    await room.tmux.tmux('send-keys', '-t', '=one:0.0', `clear ${id}`, 'Enter');
    await until('it goes on in another conversation', () => room.spoken(id));
    await room.seen('one');
    await room.crash();
    const { sessions } = await room.restore('--dry-run');
    expect(sessions).toMatchObject([{ name: 'one', conversation: id, panes: 2 }]);
  });
});
