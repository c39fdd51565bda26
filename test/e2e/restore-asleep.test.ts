import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, describe, expect } from 'vitest';
import { until } from '../support/until.ts';
import { RestoreRoom } from './restore-room.ts';

const test = base.extend<{ room: RestoreRoom }>({
  room: async ({ task: _ }, use) => {
    const room = new RestoreRoom();
    await use(room);
    room.leave();
  },
});

/** No form of a secret that anything would know. */
const VALUE = 'swordfish-of-wednesday';

interface Shown {
  readonly name: string;
  readonly panes: readonly { readonly activity: string }[];
  readonly role: string | null;
  readonly agent: { readonly conversation: string | null } | null;
}

async function asleepIn(room: RestoreRoom): Promise<readonly Shown[]> {
  const { sessions } = JSON.parse(await room.done('--json', ...room.server)) as {
    sessions: readonly Shown[];
  };
  return sessions.filter(({ panes }) => panes.some(({ activity }) => activity === 'asleep'));
}

describe.concurrent('endings 12: restore --asleep', () => {
  test('brings agents back without starting them, each wakes on Enter, and other sessions are as they were', async ({
    room,
  }) => {
    const one = await room.agent('one', '--role', 'worker', '--env', `TOKEN=${VALUE}`);
    const two = await room.agent('two');
    await room.done('run', '--name', 'plain', ...room.server, '--', 'sleep', '1000');
    await room.tmux.tmux('new-window', '-d', '-n', 'logs', '-t', '=one:', 'tail -f /dev/null');
    await room.seen('one');
    await room.crash();

    const { exitCode, sessions } = await room.restoreAsUser('--asleep', '--yes');
    expect(exitCode).toBe(0);
    expect(sessions.map(({ name, result, isAsleep }) => [name, result, isAsleep]).sort()).toEqual([
      ['one', 'restored', true],
      ['plain', 'restored', false],
      ['two', 'restored', true],
    ]);
    expect(room.running()).toEqual([]);
    const asleep = await asleepIn(room);
    expect(asleep.map(({ name, agent }) => [name, agent?.conversation]).sort()).toEqual([
      ['one', one],
      ['two', two],
    ]);
    expect(asleep.find(({ name }) => name === 'one')).toMatchObject({ role: 'worker' });
    expect(await room.tmux.tmux('list-windows', '-t', '=one', '-F', '#{window_name}')).toContain('logs');
    // Nothing is lost any more, and nothing is made twice.
    expect((await room.restore('--asleep', '--yes')).sessions).toEqual([]);

    await room.done('wake', room.at('two'));
    await room.tmux.tmux('select-window', '-t', '=one:0');
    await room.tmux.tmux('send-keys', '-t', '=one:0', 'Enter');
    await until(
      'both are awake',
      () => room.resumed(),
      (ids) => ids.length === 2,
    );
    expect(room.resumed()).toEqual([one, two].sort());
    const pid = room.running().find(({ argv }) => argv.includes(one))?.pid;
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')).toContain(`TOKEN=${VALUE}`);
    expect(room.starts().filter((words) => words.includes('fix it'))).toHaveLength(2);
    expect(await room.done('log', '--json')).not.toContain(VALUE);
    await room.done('verify');
  });

  test('words of its start that may be secret are given again, and are not in the ledger', async ({
    room,
  }) => {
    const id = crypto.randomUUID();
    const settings = JSON.stringify({ env: { ANTHROPIC_AUTH_TOKEN: VALUE } });
    const words = ['--session-id', id, '--settings', settings];
    const run = ['run', '--name', 'one', ...room.server, '--cwd', room.tmux.folder];
    await room.done(...run, '--', room.claude, ...words);
    await until('it has said which conversation it is in', () => room.spoken(id));
    await room.crash();

    expect((await room.restore('--asleep', '--yes')).sessions).toMatchObject([{ isAsleep: true }]);
    expect(await room.done('log', '--json')).not.toContain(VALUE);
    await room.done('wake', room.at('one'));
    await until(
      'it is awake',
      () => room.resumed(),
      (ids) => ids.length === 1,
    );
    expect(room.running()[0]?.argv).toEqual(['--resume', id, '--settings', settings]);
    expect(await room.done('log', '--json')).not.toContain(VALUE);
  });

  test('what sleeps and is lost again comes back again', async ({ room }) => {
    const id = await room.agent('one');
    await room.crash();
    await room.restore('--asleep', '--yes');
    await room.tmux.killServer();
    const again = await until(
      'it is lost again, and restored',
      () => room.restore('--asleep', '--yes'),
      ({ sessions }) => sessions.length === 1,
    );
    expect(again.sessions).toMatchObject([{ name: 'one', result: 'restored', isAsleep: true }]);
    await room.done('wake', room.at('one'));
    await until(
      'it is awake',
      () => room.resumed(),
      (ids) => ids.length === 1,
    );
    expect(room.resumed()).toEqual([id]);
  });

  test('a sleeping one that is closed comes back with its conversation', async ({ room }) => {
    const id = await room.agent('one');
    await room.crash();
    await room.restore('--asleep', '--yes');
    await room.done('close', room.at('one'));
    await room.done('reopen', 'one');
    await until(
      'it is there again',
      () => room.resumed(),
      (ids) => ids.length === 1,
    );
    expect(room.resumed()).toEqual([id]);
  });

  test('many of them, each once, by two at the same time', async ({ room }) => {
    const names = Array.from({ length: 12 }, (_, index) => `w${index}`);
    const ids = await Promise.all(names.map((name) => room.agent(name)));
    await room.crash();
    const both = await Promise.all([
      room.restoreAsUser('--asleep', '--yes', '--parallel', '8'),
      room.restoreAsUser('--asleep', '--yes', '--parallel', '8'),
    ]);
    const results = both.flatMap(({ sessions }) => sessions.map(({ result }) => result));
    expect(results.filter((result) => result === 'restored')).toHaveLength(names.length);
    expect(results.filter((result) => result === 'failed')).toEqual([]);
    expect((await room.names()).sort()).toEqual([...names].sort());
    const asleep = await asleepIn(room);
    expect(asleep.map(({ agent }) => agent?.conversation).sort()).toEqual([...ids].sort());
    expect(room.running()).toEqual([]);
    expect(readFileSync(join(room.home, 'starts'), 'utf8').trimEnd().split('\n')).toHaveLength(names.length);
  });
});
