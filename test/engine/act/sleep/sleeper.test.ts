import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SleeperSign, sleeperWords } from '../../../../src/core/sleep/sleeper.ts';
import { PrivateTmux } from '../../../support/private-tmux.ts';
import { until } from '../../../support/until.ts';

const SIGN: SleeperSign = {
  ...{ receipt: 'r-1', session: 'build', kind: 'claude', conversation: 'c-1', since: '2027-01-15 08:00' },
  ...{ cwd: '/project', freed: null, resume: ['claude', '--resume', 'c-1'] },
};

describe('the script of a sleeper', () => {
  it.each([
    ['dash', '-n'],
    ['bash', '--posix', '-n'],
  ])('is read by %s', (shell, ...flags) => {
    const [, , script = ''] = sleeperWords(SIGN, []);
    expect(execFileSync(shell, [...flags, '-c', script], { encoding: 'utf8' })).toBe('');
  });

  it('ends where nobody can press a key', () => {
    const [shell = '', ...words] = sleeperWords(SIGN, []);
    const shown = execFileSync(shell, words, { input: '', encoding: 'utf8' });
    expect(shown).toContain('claude sleeps here.');
  });
});

describe('a sleeper in its pane', () => {
  let tmux: PrivateTmux;
  let asked = '';
  beforeEach(() => {
    tmux = new PrivateTmux('sleeper');
    asked = join(tmux.folder, 'asked');
  });
  afterEach(() => tmux.stop());

  const shown = () => tmux.tmux('capture-pane', '-p', '-t', '=build:');
  const prompts = async () => (await shown()).split('Press Enter to wake it.').length - 1;
  const pid = () => tmux.tmux('list-panes', '-t', '=build', '-F', '#{pane_pid} #{pane_dead}');
  const keys = (...names: string[]) => tmux.tmux('send-keys', '-t', '=build:', ...names);
  const calls = () => (existsSync(asked) ? readFileSync(asked, 'utf8').split('\n').slice(0, -1) : []);

  /** A program that writes down how it was called, and ends with this status. */
  function program(name: string, status: number): string {
    const path = join(tmux.folder, name);
    writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> '${asked}'\nexit ${status}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  async function sleeps(own: readonly string[], path?: string): Promise<string> {
    const words = sleeperWords(SIGN, own);
    await tmux.session('build', ...(path ? ['env', `PATH=${path}`, ...words] : words));
    await until('it waits', prompts, (count) => count === 1);
    return pid();
  }

  it('asks the rollcall that started it on Enter, with its receipt, and waits on', async () => {
    const before = await sleeps([program('node', 0), program('rollcall.cjs', 0)]);
    await keys('Enter');
    await until('it has asked', calls, (lines) => lines.length === 1);
    expect(calls()).toEqual([`node ${join(tmux.folder, 'rollcall.cjs')} wake r-1`]);
    await until('it waits again', prompts, (count) => count === 2);
    expect(await pid()).toBe(before);
    expect(await shown()).not.toContain('It still sleeps');
  });

  it('asks another one on the PATH where that one is gone', async () => {
    program('rollcall', 0);
    await sleeps([program('node', 0), join(tmux.folder, 'gone.cjs')], `${tmux.folder}:${process.env.PATH}`);
    await keys('Enter');
    await until('it has asked', calls, (lines) => lines.length === 1);
    expect(calls()).toEqual(['rollcall wake r-1']);
  });

  it('says how to go on by hand where nobody wakes it', async () => {
    const before = await sleeps([program('node', 1), program('rollcall.cjs', 0)]);
    await keys('Enter');
    await until('it says so', shown, (text) =>
      text.includes('It still sleeps. By hand: cd /project && claude --resume c-1'),
    );
    expect(await pid()).toBe(before);
  });

  it('is ended by no key, and by no text', async () => {
    const before = await sleeps([program('node', 0), program('rollcall.cjs', 0)]);
    await keys('C-c');
    await keys('C-z');
    await keys('C-\\');
    // At the beginning of a line it ends the input, and is answered with another prompt.
    await keys('C-d');
    await until('it asks again', prompts, (count) => count > 1);
    await keys('-l', '$(exit 7); exit; `exit`');
    await until('the text is seen', shown, (text) => text.includes('exit 7'));
    await keys('C-c');
    expect(await pid()).toBe(before);
    expect(calls()).toEqual([]);
    await keys('Enter');
    await until('it still wakes', calls, (lines) => lines.length === 1);
    expect(await pid()).toBe(before);
  });
});
