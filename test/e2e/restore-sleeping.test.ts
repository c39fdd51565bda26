import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { test as base, describe, expect } from 'vitest';
import { closeDocumentSchema } from '../../src/contract/close-schemas.ts';
import { until } from '../support/until.ts';
import { RestoreRoom } from './restore-room.ts';

const WINDOWS = '#{session_name} #{window_index} #{window_name} #{window_panes}';

// Draws the prompt of Claude Code, and leaves when it is asked to.
const PROMPT = `printf '\\e[H\\e[2J\\n\\n%s\\n❯ \\n%s\\n  ? for shortcuts\\e[4;3H' ──────── ────────`;

/** Agents that can be put to sleep. */
class SleepingRoom extends RestoreRoom {
  constructor() {
    super();
    const script = readFileSync(this.claude, 'utf8')
      .replace('while read -r word', `${PROMPT}\nwhile read -r word`)
      .replace(
        'done\nsleep',
        `  [ "$word" = /exit ] && rm "$folder/sessions/$$.json" && exit 0\n${PROMPT}\ndone\nsleep`,
      );
    writeFileSync(this.claude, script, { mode: 0o755 });
    const config = join(this.tmux.folder, 'rollcall.json');
    const settings = { exitedAfter: '1s', confirmFor: '1s', startingFor: '0s' };
    writeFileSync(config, JSON.stringify({ ...settings, tmux: { timeout: '20s' }, git: { timeout: '20s' } }));
    Object.assign(this.env, { ROLLCALL_CONFIG: config });
  }

  async hibernate(name: string): Promise<string> {
    const printed = await this.done('hibernate', '--json', '--timeout', '90s', this.at(name));
    const [one] = v.parse(closeDocumentSchema, JSON.parse(printed)).sessions;
    expect(one).toMatchObject({ result: 'asleep' });
    return one?.receipt?.receipt ?? '';
  }

  async windows(): Promise<string[]> {
    return (await this.tmux.tmux('list-windows', '-a', '-F', WINDOWS)).split('\n').sort();
  }

  /** What tmux was given to run in the panes of all sessions. */
  async commands(): Promise<string> {
    return this.tmux.tmux('list-panes', '-a', '-F', '#{pane_start_command}');
  }

  /** Somebody opens windows and a pane in a session. */
  async grow(name: string): Promise<void> {
    await this.tmux.tmux('new-window', '-d', '-n', 'logs', '-t', `=${name}:`, 'tail -f /dev/null');
    await this.tmux.tmux('split-window', '-d', '-t', `=${name}:0`, 'tail -f /dev/null');
  }

  async awake(...ids: string[]): Promise<void> {
    await until('they run', () => this.resumed().length >= ids.length);
    expect(this.resumed()).toEqual([...ids].sort());
    expect(await this.commands()).not.toContain('rollcall-sleeper');
  }

  get layouts(): string {
    return join(this.state, 'rollcall', 'layouts');
  }
}

const test = base.extend<{ room: SleepingRoom }>({
  room: async ({ task: _ }, use) => {
    const room = new SleepingRoom();
    await use(room);
    room.leave();
  },
});

describe.concurrent('S63: what happened in a session while its agent slept', () => {
  test('comes back awake, with a second agent named, and once more after the next crash', async ({
    room,
  }) => {
    const one = await room.agent('one');
    const two = await room.agent('two');
    await room.crash();
    await room.restore('--asleep', '--yes');
    await room.grow('one');
    await room.tmux.tmux('rename-session', '-t', '=one', 'renamed');
    const other = crypto.randomUUID();
    const second = ['env', `HOME=${room.home}`, room.claude, '--session-id', other];
    await room.tmux.tmux('new-window', '-d', '-n', 'second', '-t', '=two:', ...second);
    await until('the second agent can be heard', () => room.spoken(other));
    for (const name of ['renamed', 'two']) await room.seen(name);
    const before = await room.windows();
    await room.crash();

    const { sessions } = await room.restoreAsUser('--yes');
    expect(sessions.map(({ result, conversation }) => [result, conversation]).sort()).toEqual(
      [one, two].map((id) => ['restored', id]).sort(),
    );
    expect(await room.windows()).toEqual(before);
    await room.awake(one, two);
    const missing = sessions.find(({ conversation }) => conversation === two)?.missing.join() ?? '';
    expect(missing).toContain(other);
    expect(await room.done('log', '--json')).toContain(other);

    await room.tmux.tmux('new-window', '-d', '-n', 'later', '-t', '=renamed:', 'tail -f /dev/null');
    await room.seen('renamed');
    const later = await room.windows();
    await room.crash();
    await room.restore('--yes');
    expect(await room.windows()).toEqual(later);
    await room.awake(one, two);
    expect(room.starts().filter((line) => line.includes('fix it'))).toHaveLength(2);
    await room.done('verify');
  });

  test('comes back asleep, again and again, and wakes in its conversation', async ({ room }) => {
    const id = await room.agent('one');
    const other = crypto.randomUUID();
    const second = ['env', `HOME=${room.home}`, room.claude, '--session-id', other];
    await room.crash();
    await room.restore('--asleep', '--yes');
    await room.grow('one');
    await room.tmux.tmux('new-window', '-d', '-n', 'second', '-t', '=one:', ...second);
    await until('the second agent can be heard', () => room.spoken(other));
    for (const name of ['first', 'next']) {
      await room.tmux.tmux('new-window', '-d', '-n', name, '-t', '=one:', 'tail -f /dev/null');
      await room.seen('one');
      const before = await room.windows();
      await room.crash();
      const { sessions } = await room.restore('--asleep', '--yes');
      expect(sessions).toMatchObject([{ result: 'restored', isAsleep: true, conversation: id }]);
      expect(await room.windows()).toEqual(before);
      expect((await room.commands()).split('rollcall-sleeper')).toHaveLength(2);
      expect(room.running()).toEqual([]);
    }
    await room.done('wake', room.at('one'));
    await room.awake(id);
  });

  test.for(['NAME', 'RECEIPT'])('is in what reopen %s makes', async (word, { room }) => {
    const id = await room.agent('one');
    await room.seen('one');
    const receipt = await room.hibernate('one');
    await room.grow('one');
    await room.seen('one');
    const before = await room.windows();
    await room.crash();
    await room.done('reopen', word === 'NAME' ? 'one' : receipt);
    expect(await room.windows()).toEqual(before);
    await room.awake(id);
    const again = await room.cli('reopen', receipt);
    expect(again).toMatchObject({ exitCode: 3 });
    await room.awake(id);
  });

  test('is in what comes back after it was woken, whether anybody saw that or not', async ({ room }) => {
    const id = await room.agent('one');
    await room.seen('one');
    await room.hibernate('one');
    await room.grow('one');
    await room.seen('one');
    const [name = ''] = readdirSync(room.layouts);
    const kept = join(room.tmux.folder, 'layout');
    copyFileSync(join(room.layouts, name), kept);
    const asleep = await room.windows();
    await room.done('wake', room.at('one'));
    await room.awake(id);
    const later = crypto.randomUUID();
    await room.tmux.tmux('send-keys', '-t', '=one:0.0', `clear ${later}`, 'Enter');
    await until('it is in another conversation', () => room.spoken(later));
    await room.tmux.tmux('new-window', '-d', '-n', 'later', '-t', '=one:', 'tail -f /dev/null');
    await room.seen('one');
    const before = await room.windows();
    await room.crash();
    const seen = readFileSync(join(room.layouts, name));

    // As if nobody had looked since it slept: only the agent that was woken is known.
    copyFileSync(kept, join(room.layouts, name));
    expect((await room.restore('--dry-run')).sessions).toMatchObject([
      { conversation: id, windows: 2, panes: 3 },
    ]);
    expect(asleep).toHaveLength(2);

    writeFileSync(join(room.layouts, name), seen);
    expect((await room.restore('--yes')).sessions).toMatchObject([
      { result: 'restored', conversation: later },
    ]);
    expect(await room.windows()).toEqual(before);
    await room.awake(later);
  });

  test('comes back also where nobody saw what was made from it', async ({ room }) => {
    const id = await room.agent('one');
    await room.hibernate('one');
    await room.grow('one');
    await room.seen('one');
    const before = await room.windows();
    const kept = join(room.tmux.folder, 'layouts');
    cpSync(room.layouts, kept, { recursive: true });
    await room.crash();
    await room.restore('--yes');
    await room.awake(id);
    await room.crash();
    // As if the server had died before anybody looked.
    rmSync(room.layouts, { recursive: true });
    cpSync(kept, room.layouts, { recursive: true });
    const { sessions } = await room.restore('--yes');
    expect(sessions).toMatchObject([{ result: 'restored', conversation: id }]);
    expect(await room.windows()).toEqual(before);
    await room.awake(id);
  });

  test('is told where the pane of the sleeper was gone: then it comes back as it fell asleep', async ({
    room,
  }) => {
    const id = await room.agent('one');
    await room.crash();
    await room.restore('--asleep', '--yes');
    await room.grow('one');
    await room.tmux.tmux('kill-pane', '-t', '=one:0.0');
    await room.seen('one');
    await room.crash();
    const { sessions } = await room.restore('--yes');
    expect(sessions).toMatchObject([{ result: 'restored', conversation: id, windows: 1 }]);
    expect(sessions[0]?.missing.join()).toContain('while its agent slept does not come back');
    await room.awake(id);
  });
});
