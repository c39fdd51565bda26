import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createShellSensor, type ShellSensorOptions } from '../../../src/adapters/proc/shell-sensor.ts';
import { editorDoubt } from '../../../src/core/prompt/doubt.ts';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { until } from '../../support/until.ts';

let tmux: PrivateTmux;
beforeEach(() => {
  tmux = new PrivateTmux('shells');
});
afterEach(() => tmux.stop());

const sensor = (over: Partial<ShellSensorOptions> = {}) =>
  createShellSensor({ env: process.env, now: Date.now, ...over });

/** A process with its start mark, as /proc has it. */
function marked(pid: number): { pid: number; startTicks: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return { pid, startTicks: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]) };
}

const hasProgram = (name: string): boolean => {
  try {
    execFileSync(name, ['-c', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const doubtOf = async (program: string, pid: number) =>
  editorDoubt(program, await sensor().sense(marked(pid)));
const editing = (program: string, pid: number) =>
  until(
    `${program} edits`,
    async () => (await doubtOf(program, pid)) ?? 'editing',
    (doubt) => doubt === 'editing',
  );
const doubted = (program: string, pid: number, text: string) =>
  until(
    `${program} is doubted: ${text}`,
    () => doubtOf(program, pid),
    (doubt) => doubt?.includes(text) === true,
  );

describe('a bash on a real terminal', () => {
  test('is seen with all that its prompt tells', async () => {
    const { pid } = await tmux.session('shell');
    await editing('bash', pid);
    // On a busy machine stty may come too late.
    const sense = () => sensor().sense(marked(pid));
    expect(await until('it is seen', sense, ({ state }) => state === 'seen')).toMatchObject({
      ...{ state: 'seen', isInFront: true, isAsleep: true, waitsIn: 'select', givenPrompt: '$ ' },
      ...{ user: userInfo().username, host: hostname(), cwd: tmux.folder, home: process.env.HOME },
    });
  });

  test.each([
    ['reads a line', "read -p '$ '", 'line editor'],
    ['reads a key', "read -rsn1 -p '$ '", 'line editor'],
    ['runs a command', 'sleep 1000', 'not have the terminal'],
    ['computes', 'while :; do :; done', ''],
    ['reads a pipe', 'read -t 1000 < <(sleep 1000)', 'input is not its terminal'],
  ])('is not in its line editor when it %s', async (_, command, text) => {
    const { paneId, pid } = await tmux.session('shell');
    await editing('bash', pid);
    await tmux.tmux('send-keys', '-t', paneId, command, 'Enter');
    await doubted('bash', pid, text);
  });

  test('is asked for its terminal anew only when it has run since', async () => {
    const { paneId, pid } = await tmux.session('shell');
    await editing('bash', pid);
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return new Set(['icanon']);
    };
    const one = sensor({ ask });
    const sense = () => one.sense(marked(pid));
    await until('it is still', sense, ({ state }) => state === 'seen');
    const before = asked;
    await sense();
    expect(asked).toBe(before);
    await tmux.tmux('send-keys', '-t', paneId, 'x');
    await until('it was asked again', sense, () => asked > before);
  });
});

describe.skipIf(!hasProgram('zsh'))('a zsh on a real terminal', () => {
  test('is told from one that reads', async () => {
    const { paneId, pid } = await tmux.session('shell', 'zsh', '-f', '-i');
    await editing('zsh', pid);
    await tmux.tmux('send-keys', '-t', paneId, "read 'x?Commit> '", 'Enter');
    await doubted('zsh', pid, 'line editor');
  });
});

describe.skipIf(!hasProgram('fish'))('a fish on a real terminal', () => {
  test('is told from one that runs something', async () => {
    const { paneId, pid } = await tmux.session('shell', 'fish', '--no-config', '-i');
    await editing('fish', pid);
    await tmux.tmux('send-keys', '-t', paneId, 'sleep 1000', 'Enter');
    await doubted('fish', pid, 'not have the terminal');
  });
});

const SHELLS = {
  bash: ['env', 'PS1=$ ', 'bash', '--norc', '--noprofile', '-i'],
  zsh: ['zsh', '-f', '-i'],
  fish: ['fish', '--no-config', '-i'],
};

describe.each(Object.entries(SHELLS).filter(([name]) => hasProgram(name)))('a glance at %s', (name, argv) => {
  const glanceAt = (pid: number) => sensor().glance({ ...marked(pid), program: name });
  /** The kernel notes reads in steps of eight seconds: from here on every read has another time. */
  const apart = (pid: number) =>
    until(
      'reads can be told apart',
      () => glanceAt(pid),
      (seen) => seen?.isWaiting === true && seen.observedAt / 8000 >= Math.floor(seen.readAt / 8) + 1,
    );

  test('tells what was entered from a new size', async () => {
    const { paneId, pid } = await tmux.session('shell', ...argv);
    await editing(name, pid);
    const first = await apart(pid);
    expect(glanceAt(pid)).toMatchObject({ pid, program: name, turns: first?.turns, readAt: first?.readAt });

    await tmux.tmux('resize-window', '-t', paneId, '-x', '70');
    const sized = await until(
      'it ran',
      () => glanceAt(pid),
      (seen) => seen?.isWaiting === true && seen.turns !== first?.turns,
    );
    expect(sized?.readAt).toBe(first?.readAt);

    await tmux.tmux('send-keys', '-t', paneId, 'x');
    await until(
      'it read',
      () => glanceAt(pid),
      (seen) => seen !== null && seen.readAt !== first?.readAt,
    );
  });
});

describe('a glance', () => {
  test('tells nothing where the kernel does not', async () => {
    const { pid } = await tmux.session('shell');
    await editing('bash', pid);
    const shell = { ...marked(pid), program: 'bash' };
    const all = [{ uid: 12_345 }, { procRoot: '/nowhere' }, { platform: 'darwin' }] as const;
    expect(all.map((over) => sensor(over).glance(shell))).toEqual([null, null, null]);
  });

  test('sees that a shell does not wait', async () => {
    const { paneId, pid } = await tmux.session('shell');
    await editing('bash', pid);
    await tmux.tmux('send-keys', '-t', paneId, 'sleep 1000', 'Enter');
    await until(
      'it waits for no key',
      () => sensor().glance({ ...marked(pid), program: 'bash' })?.isWaiting === false,
    );
  });
});

describe('what cannot be seen', () => {
  test.each<[string, Partial<ShellSensorOptions>, number, string]>([
    ['a terminal that cannot be read', { ask: async () => 'no stty' }, 0, 'no stty'],
    ['another process of that number', {}, 1, 'it is gone'],
    ['a process of somebody else', { uid: 12_345 }, 0, 'it cannot be read'],
    ['a process without /proc', { procRoot: '/nowhere' }, 0, 'it cannot be read'],
    ['a system without /proc', { platform: 'darwin' }, 0, 'macOS does not tell what it waits for'],
  ])('is said: %s', async (_, over, later, text) => {
    const { pid } = await tmux.session('shell');
    await editing('bash', pid);
    const { startTicks } = marked(pid);
    const found = await sensor(over).sense({ pid, startTicks: startTicks + later });
    expect(found).toEqual({ state: 'failed', text });
  });

  test('includes a shell that ran while it was looked at, and a program without a terminal', async () => {
    const { paneId, pid } = await tmux.session('shell');
    await editing('bash', pid);
    const ask = async () => {
      const turns = () => readFileSync(`/proc/${pid}/status`, 'utf8').match(/^voluntary.*$/m)?.[0];
      const before = turns();
      await tmux.tmux('send-keys', '-t', paneId, 'x');
      await until('it ran', turns, (now) => now !== before);
      return new Set(['icanon']);
    };
    expect(await sensor({ ask }).sense(marked(pid))).toEqual({ state: 'failed', text: 'it is at work' });
    const own = await sensor().sense(marked(process.pid));
    expect(own).toMatchObject({ state: 'failed' });
  });
});
