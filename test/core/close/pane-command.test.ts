import { describe, expect, it } from 'vitest';
import { paneCommand as commandOf, isShell, startedWords } from '../../../src/core/close/pane-command.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';

const running = (program: string, role = 'command', argv?: readonly string[]) => ({
  processes: [
    { relation: 'foreground', role: 'command' },
    { relation: 'root', role, program, ...(argv && { argv }) },
  ],
});
const shown = (...command: string[]) => ({ paneId: '%2', command });
const recognise = ([first]: readonly string[]) => (first === 'claude' ? 'claude' : null);
const paneCommand = (paneId: string, pane: JsonObject, of: JsonObject | null) =>
  commandOf(paneId, pane, of, recognise);
const isRunAgain = (pane: JsonObject, command: readonly string[]) =>
  paneCommand('%2', pane, shown(...command)).command !== null;

describe('what a pane ran of its own', () => {
  it('runs again where it still ran', () => {
    expect(paneCommand('%2', running('serve'), { ...shown('serve', '-p'), cwd: '/s' })).toEqual({
      ...{ command: ['serve', '-p'], cwd: '/s', missing: [] },
    });
  });

  it.each([
    ['serve', ['/opt/serve']],
    ['serve', ['serve >log 2>&1']],
    ['serve', ['sh', '-c', 'serve -p']],
    ['serve', ['bash', '--norc', '-lc', 'exec serve', 'x']],
    ['serve', ["bash -c 'serve -p'"]],
    ['serve', ['exec env A=b nice -n 5 serve']],
    ['sleep', ['sleep 1001 >/dev/null']],
    ['htop', ['htop']],
    ['tail', ['tail', '-f', 'x']],
    ['tail', ['tail -f claude.log']],
    ['npm', ['npm run dev']],
    ['npm', ['npx', 'vite']],
    ['serve.js', ['node', 'serve.js']],
    ['serve.sh', ['bash', 'serve.sh']],
    ['timeout', ['timeout', '5000', 'sh', '-c', 'serve -p']],
    ['docker', ['docker run -it some bash']],
  ])('runs again as the one program that it is: %s of %j', (program, command) => {
    expect(isRunAgain(running(program), command)).toBe(true);
  });

  it('runs again behind a shell that stays before it', () => {
    const stays = (line: string) => running('sh', 'wrapper', ['sh', '-c', line]);
    expect(isRunAgain(stays('time make'), ['time make'])).toBe(true);
    expect(isRunAgain(stays('time make'), ['sh', '-c', 'time make'])).toBe(true);
    expect(isRunAgain(stays('sleep 9'), ['./deploy-then-sleep'])).toBe(false);
    expect(isRunAgain(running('sh', 'wrapper'), ['time make'])).toBe(false);
    const unnamed = { processes: [{ relation: 'root', role: 'wrapper' }] };
    expect(isRunAgain(unnamed, ['time make'])).toBe(false);
  });

  it.each([
    ['sleep', ['deploy; exec sleep 9']],
    ['sleep', ['deploy & exec sleep 9']],
    ['sleep', ['{ deploy\nsleep 9']],
    ['sleep', ['bash', '-c', 'deploy; exec sleep 9', 'x']],
    ['sleep', ['env', 'K=1', 'bash', '-c', 'deploy; exec sleep 9']],
    ['sleep', ['taskset', '-c', '0', 'bash', '-c', 'deploy; exec sleep 9']],
    ['timeout', ['timeout', '5000', 'sh', '-c', 'deploy; sleep 9']],
    ['timeout', ['timeout', '5000', 'fish', '-c', 'deploy', '-c', 'sleep 9']],
    ['tail', ['nohup', 'bash', '-c', 'deploy && tail -f f']],
    ['tail', ['deploy && tail -f f']],
    ['serve', ['sh', '-c', 'deploy\nserve']],
    ['serve', ['serve', 'a;b']],
    ['ssh', ['ssh', 'host', 'deploy; tail -f log']],
    ['y', ['$(x) | y']],
    ['sleep', ['sh', '-c', '$LINE']],
    ['sleep', ['sh', '-c', '`deploy`']],
    ['sleep', ['./deploy-then-sleep']],
    ['sleep', ['. deploy.sh']],
    ['sleep', ['env', '-S', 'deploy']],
    ['sleep', ['bash', '--rcfile', 'deploy.sh', '-ic', 'exec sleep 9']],
    ['sleep', ['BASH_ENV=deploy.sh bash -c "exec sleep 9"']],
    ['fish', ['fish', '--command=deploy']],
    ['sleep', ['sh', '-c']],
    ['env', ['env', 'A=b']],
  ])('is not run where a part of it may have ended: %s of %j', (program, command) => {
    expect(isRunAgain(running(program), command)).toBe(false);
  });

  it('is the shell itself, however it was begun', () => {
    for (const command of [
      ["exec env PS1='$ ' HISTFILE= bash --norc --noprofile -i"],
      ['bash', '--norc'],
      ['env', 'A=b', 'bash'],
      ['bash', '-c', 'exec bash --norc -l'],
      ['/usr/bin/env', 'ROLLCALL_OWNER=me', 'bash'],
    ]) {
      expect(paneCommand('%2', running('bash', 'shell'), shown(...command)).command).toEqual(command);
    }
    expect(paneCommand('%2', running('fish', 'shell'), shown('fish')).command).toEqual(['fish']);
  });

  it.each([
    [['bash', '-lc', 'bash deploy.sh; exec bash']],
    [['bash', '-c', 'time deploy; exec bash']],
    [['bash', '-c', 'nice deploy; exec bash --norc']],
    [['bash deploy.sh']],
    [['bash', '--rcfile', 'deploy.sh']],
    [['ENV=deploy.sh bash']],
    [['zsh']],
    [['/usr/bin/env', 'ROLLCALL_OWNER=me', 'bash', '-c', 'deploy; exec bash']],
  ])('is not run where a shell is left of it: %j', (command) => {
    expect(isRunAgain(running('bash', 'shell'), command)).toBe(false);
  });

  it('is whole where rollcall itself started it, unless it may start an agent', () => {
    const own = (...words: string[]) => ['/usr/bin/env', 'ROLLCALL_OWNER=me', ...words];
    expect(isRunAgain(running('serve'), own('sh', '-c', 'set up; serve'))).toBe(true);
    expect(isRunAgain(running('sh', 'wrapper'), own('sh', '-c', 'set up; serve'))).toBe(true);
    const command = own('bash', '-c', "claude 'delete rows'; tail -f log");
    expect(paneCommand('%2', running('bash', 'wrapper'), shown(...command))).toEqual({
      command: null,
      missing: [
        `pane %2: it may start claude with its first prompt once more, and is not run again: bash -c claude 'delete rows'; tail -f log`,
      ],
    });
    for (const words of [own('claude', 'it'), ['claude it'], ['timeout', '9', 'claude', 'it']]) {
      expect(isRunAgain(running('timeout'), words)).toBe(false);
    }
  });

  it('is named and not run where it had ended', () => {
    const ended = ['pane %2: it had ended, or a part of it, and is not run again: make; exec bash'];
    expect(paneCommand('%2', running('bash', 'shell'), shown('make; exec bash'))).toEqual({
      ...{ command: null, missing: ended },
    });
    expect(paneCommand('%2', { ...running('make'), isDead: true }, shown('make')).missing).toHaveLength(1);
    expect(paneCommand('%2', {}, shown('make', '--token=abc')).missing.join()).not.toContain('abc');
  });

  it('is nothing in a plain shell; one that cannot be told whole is named', () => {
    expect(paneCommand('%2', running('make'), null)).toEqual({ command: null, missing: [] });
    expect(paneCommand('%2', running('bash', 'shell'), { command: null }).missing).toEqual([]);
    expect(paneCommand('%2', running('serve'), { command: null }).missing.join()).toContain('too long');
    expect(paneCommand('%2', {}, { command: null }).missing).toEqual([]);
    expect(paneCommand('%2', running('serve'), { command: [3] })).toMatchObject({ command: null });
  });

  it('stands behind what rollcall put before it', () => {
    expect(startedWords(['/usr/bin/env', '--', 'ROLLCALL_RUN=w', 'ROLLCALL_OWNER=me', 'a', 'b'])).toEqual([
      'a',
      'b',
    ]);
    expect(startedWords(['a', 'b'])).toEqual(['a', 'b']);
    expect([isShell(running('bash', 'shell')), isShell(running('make')), isShell({})]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
