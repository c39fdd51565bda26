import { describe, expect, it } from 'vitest';
import { type KeptPane, readKept } from '../../../src/core/close/kept-document.ts';
import { paneCommand as commandOf, isShell, startedWords } from '../../../src/core/close/pane-command.ts';

const running = (program: string, role = 'command', argv?: readonly string[]) => ({
  processes: [
    { relation: 'foreground', role: 'command' },
    { relation: 'root', role, program, ...(argv && { argv }) },
  ],
});
const shown = (...command: string[]) => ({ paneId: '%2', command });
const recognise = ([first]: readonly string[]) => (first === 'claude' ? 'claude' : null);
const pane = (value: object) => readKept({ panes: [value] }).panes[0] as KeptPane;
const place = (value: object) => readKept({ windows: [{ panes: [value] }] }).windows[0]?.panes[0] ?? null;
const paneCommand = (paneId: string, seen: object, of: object | null) =>
  commandOf(paneId, pane(seen), of && place(of), recognise);
const isRunAgainLater = (program: string, command: readonly string[], role?: string) =>
  commandOf('%2', pane(running(program, role)), place(shown(...command)), recognise, true).command !== null;
const isRunAgain = (seen: object, command: readonly string[]) =>
  paneCommand('%2', seen, shown(...command)).command !== null;

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
    ['serve', ['command serve']],
    ['sleep', ['sleep 1001 >/dev/null']],
    ['htop', ['htop']],
    ['tail', ['tail', '-f', 'x']],
    ['tail', ['tail -f claude.log']],
    ['npm', ['npm run dev']],
    ['npm', ['npx', 'vite']],
    ['serve.js', ['node', 'serve.js']],
    ['serve.sh', ['bash', 'serve.sh']],
    ['dash', ['node', 'dash']],
    ['timeout', ['timeout', '5000', 'sh', '-c', 'serve -p']],
    ['docker', ['docker run -it some bash']],
  ])('runs again as the one program that it is: %s of %j', (program, command) => {
    expect(isRunAgain(running(program), command)).toBe(true);
  });

  it('never runs a sleeper again, also where rollcall started it', () => {
    const words = [
      '/bin/sh',
      '-c',
      'read -r _',
      'rollcall-sleeper',
      'r-1',
      'shown',
      'by hand',
      'node',
      'rollcall',
    ];
    const command = ['/usr/bin/env', '--', 'ROLLCALL_RUN=r-1', 'ROLLCALL_OWNER=me', ...words];
    const kept = paneCommand('%2', running('sleeper', 'sleeper'), shown(...command));
    expect(kept).toEqual({
      command: null,
      missing: ['pane %2: its sleeper of receipt r-1 is not started again'],
    });
    expect(isRunAgain(running('sleeper', 'sleeper'), words)).toBe(false);
  });

  it('runs again behind a shell that stays before it', () => {
    const stays = (line: string) => running('sh', 'wrapper', ['sh', '-c', line]);
    expect(isRunAgain(stays('time make'), ['time make'])).toBe(true);
    expect(isRunAgain(stays('time make'), ['sh', '-c', 'time make'])).toBe(true);
    expect(isRunAgain(stays('time make'), ["sh -c 'time make'"])).toBe(true);
    expect(isRunAgain(running('timeout', 'wrapper'), ['timeout', '5000', 'serve'])).toBe(true);
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
    ['npm', ['vite']],
    ['vite', ['npx', 'vite']],
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
      ...{ command: null, named: 'bash' },
      missing: ['pane %2: it may start claude with its first prompt once more, and is not run again: bash'],
    });
    for (const words of [own('claude', 'it'), ['claude it'], ['timeout', '9', 'claude', 'it']]) {
      expect(isRunAgain(running('timeout'), words)).toBe(false);
    }
  });

  it('is named and not run where it had ended', () => {
    const ended = ['pane %2: it had ended, or a part of it, and is not run again: make'];
    expect(paneCommand('%2', running('bash', 'shell'), shown('make; exec bash'))).toEqual({
      ...{ command: null, named: 'make', missing: ended },
    });
    expect(paneCommand('%2', { ...running('make'), isDead: true }, shown('make')).missing).toHaveLength(1);
    expect(paneCommand('%2', {}, shown('make', '--token=abc')).missing.join()).not.toContain('abc');
  });

  it.each([
    ['tail', ['tail -f log']],
    ['tail', ['tail', '-n', '5', '-F', 'log']],
    ['less', ['less', '+F', '/var/log/x']],
    ['less', ['sh', '-c', 'exec less -S x']],
    ['htop', ['/usr/bin/htop']],
    ['vim', ['vim +12 -R a b']],
    ['nvim', ['exec nvim -p a -- b']],
    ['emacs', ['emacs -nw x']],
    ['man', ['man 7 tmux']],
    ['less', ['/usr/bin/env', '/opt/homebrew/bin/less', 'a/b']],
    ['top', ['/usr/local/bin/top']],
    ['vi', ['/bin/vi x']],
  ])('that only shows or edits runs again although it may have ended: %s of %j', (program, command) => {
    expect(isRunAgainLater(program, command)).toBe(true);
  });

  it.each([
    ['deploy', ['deploy 1000']],
    ['serve', ['serve', '-p']],
    ['sleep', ['sleep', '9']],
    ['watch', ['watch', 'deploy']],
    ['less', ['less', '+!deploy', 'x']],
    ['vim', ['vim', '-c', 'deploy', 'x']],
    ['vim', ['vim +deploy x']],
    ['emacs', ['emacs', '--eval', 'x']],
    ['man', ['man', '-P', 'deploy', 'x']],
    ['man', ['MANPAGER=deploy man x']],
    ['man', ['env', 'MANPAGER=deploy', 'man', 'x']],
    ['man', ['sh', '-c', 'MANPAGER=deploy exec man x']],
    ['vim', ['vim x <keys']],
    ['tail', ['tail -f x >>y']],
    ['tail', ['deploy; exec tail -f log']],
    ['tail', ['env', 'A=b']],
    ['view', ['./scripts/view']],
    ['top', ['/home/me/bin/top', '--all']],
    ['info', ['exec scripts/info staging']],
    ['less', ['/usr/bin/../../tmp/less', 'x']],
    ['less', ['./env', 'less', 'x']],
    ['less', [' ./sh -c "less x"']],
  ])('is not run where it may have ended, and does more: %s of %j', (program, command) => {
    expect(isRunAgainLater(program, command)).toBe(false);
  });

  it('is a shell once more, however long ago it was seen', () => {
    expect(isRunAgainLater('bash', ['bash', '--norc'], 'shell')).toBe(true);
    const { missing } = commandOf('%2', running('deploy'), shown('/opt/deploy --pw hunter'), recognise, true);
    expect(missing).toEqual([
      'pane %2: it may have ended after it was last seen, and is not run again: deploy',
    ]);
  });

  it.each([
    [['KEY=hunter serve'], 'a command'],
    [['"my hunter" x'], 'a command'],
    [['$(hunter)'], 'a command'],
    [[''], 'a command'],
    [['env', 'KEY=hunter', 'serve'], 'env'],
    [['/opt/serve', 'hunter/x'], 'serve'],
    [['true; serve hunter'], 'true'],
  ])('is named by its program alone: %j', (command, name) => {
    const { missing } = paneCommand('%2', {}, shown(...command));
    expect(missing).toEqual([`pane %2: it had ended, or a part of it, and is not run again: ${name}`]);
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
    expect([isShell(running('bash', 'shell')), isShell(running('make')), isShell(pane({}))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
