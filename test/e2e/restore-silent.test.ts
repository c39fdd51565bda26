import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { RealProcesses } from '../adapters/proc/real-processes.ts';
import { until } from '../support/until.ts';
import { RestoreRoom } from './restore-room.ts';

/** A person who resumes by hand, and an agent that has not said yet which conversation it is in. */
class ByHand extends RestoreRoom {
  readonly started = new RealProcesses();

  /** In a pane; what is typed there is `clear ID`, by which it says that it is in ID. */
  async inPane(cwd: string, ...words: string[]): Promise<void> {
    const home = `HOME=${this.home}`;
    await this.tmux.tmux('new-session', '-d', '-s', 'hand', '-c', cwd, '-e', home, this.claude, ...words);
    await this.runs(1);
  }

  async says(conversation: string): Promise<void> {
    await this.tmux.tmux('send-keys', '-t', '=hand:', `clear ${conversation}`, 'Enter');
    await until('it has said so', () => this.spoken(conversation));
  }

  /** Outside of tmux. */
  async outside(cwd: string, ...words: string[]): Promise<void> {
    const line = 'cd "$0" && exec "$@"';
    await this.started.start(['sh', '-c', line, cwd, this.claude, ...words], { HOME: this.home });
    await this.runs(1);
  }

  /** So many agents run. */
  runs(count: number): Promise<unknown> {
    return until(`${count} run`, () => this.running().length === count);
  }

  async lost(): Promise<string> {
    const id = await this.agent('one');
    await this.seen('one');
    await this.crash();
    return id;
  }
}

const test = base.extend<{ room: ByHand }>({
  room: async ({ task: _ }, use) => {
    const room = new ByHand();
    await use(room);
    await room.started.endAll();
    room.leave();
  },
});

describe.concurrent('S63: an agent by hand that has not said which conversation it is in', () => {
  test('keeps its folder’s conversation from being started', async ({ room }) => {
    const id = await room.lost();
    await room.inPane(room.tmux.folder, '--continue');
    const [hand] = room.running();
    const text = `claude (pid ${hand?.pid}) runs and has not said which conversation it is in`;
    const { exitCode, sessions } = await room.restoreAsUser('--yes');
    expect(exitCode).toBe(1);
    expect(sessions).toMatchObject([{ result: 'failed', text: `${text}: it may be this one` }]);
    await room.says(id);
    expect((await room.restore('--yes')).sessions).toMatchObject([{ result: 'already' }]);
    expect(room.running()).toEqual([hand]);
    await room.done('verify');
  });

  test('is not believed at first: Claude Code names one for some seconds that it will not be in', async ({
    room,
  }) => {
    await room.lost();
    await room.inPane(room.tmux.folder, '--continue');
    await room.says(crypto.randomUUID());
    const wait = { result: 'failed', hint: 'wait a minute and try again, or end it' };
    expect((await room.restore('--yes')).sessions).toMatchObject([wait]);
    expect(room.running()).toHaveLength(1);
  });

  test.for(['--continue', '-c', '-r', '-p --continue job', ''])(
    'outside of tmux: claude %s',
    async (words, { room }) => {
      await room.lost();
      await room.outside(room.tmux.folder, ...words.split(' ').filter((word) => word !== ''));
      const [hand] = room.running();
      const { exitCode, sessions } = await room.restore('--yes');
      expect({ exitCode, sessions }).toMatchObject({ exitCode: 1, sessions: [{ result: 'failed' }] });
      expect(sessions[0]?.text).toContain(`pid ${hand?.pid}`);
      expect(room.running()).toEqual([hand]);
    },
  );

  test('keeps a sleeper asleep', async ({ room }) => {
    await room.lost();
    await room.restore('--asleep', '--yes');
    await room.outside(room.tmux.folder, '--continue');
    const { exitCode, stderr } = await room.cli('wake', room.at('one'));
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('may be this'),
    });
    await room.runs(1);
  });

  test.for([
    ['in another folder', 'other', ['--continue']],
    ['in a conversation that it names', '.', ['--session-id', crypto.randomUUID()]],
    ['in one that it begins as a copy', '.', ['--continue', '--fork-session']],
  ] as const)('keeps nobody %s', async ([, folder, words], { room }) => {
    const id = await room.lost();
    mkdirSync(join(room.tmux.folder, 'other'));
    await room.outside(join(room.tmux.folder, folder), ...words);
    expect((await room.restore('--yes')).sessions).toMatchObject([{ result: 'restored' }]);
    await until('it is resumed', () => room.resumed().includes(id));
  });
});
