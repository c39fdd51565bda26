import { describe, expect, it } from 'vitest';
import { isExplained, shapeOf, typedBehind } from '../../../src/core/prompt/shape.ts';
import { type SeenShell, seenShell } from '../seen-shell.ts';

describe('a prompt is explained', () => {
  it.each<[string, string, string, Partial<SeenShell>]>([
    ['by what the shell was given', '$ ', 'bash', { givenPrompt: '$ ' }],
    ['as the one built into bash', 'bash-5.2$ ', 'bash', {}],
    ['as that of a login shell', '-bash-5.2# ', 'bash', {}],
    ['as Debian writes it', 'ann@box:~/src/my.app$ ', 'bash', {}],
    ['as Debian writes it for root', 'root@box:/# ', 'bash', { user: 'root', cwd: '/', home: '/root' }],
    ['as Fedora writes it', '[ann@box my.app]$ ', 'bash', {}],
    ['as macOS writes it', 'ann@box my.app % ', 'zsh', {}],
    ['as zsh does without a profile', 'box% ', 'zsh', {}],
    ['as fish does', 'ann@box ~/s/my.app (main)> ', 'fish', {}],
    ['with a virtual environment', '(venv) ann@box:~/src/my.app$ ', 'bash', {}],
    ['with the full host name', 'ann@box.example.org:~/src/my.app$ ', 'bash', {}],
    ['by the folder alone', '~/src/my.app ❯ ', 'zsh', {}],
    ['by the folder and a branch', '~/src/my.app (main) $ ', 'bash', {}],
    ['by a folder elsewhere', '/srv/data $ ', 'bash', { cwd: '/srv/data' }],
    ['by the home folder', '~ $ ', 'bash', { cwd: '/home/ann' }],
    ['by a folder where home is not known', '/home/ann $ ', 'bash', { cwd: '/home/ann', home: null }],
    ['by a folder where home is the root', '/srv $ ', 'bash', { cwd: '/srv', home: '/' }],
    ['by user and host alone', 'ann@box$ ', 'bash', { cwd: null }],
    ['by a branch with changes', '~/src/my.app (main *+) $ ', 'bash', {}],
    ['by a branch that is rebased', '~/src/my.app (main|REBASE 1/3)> ', 'bash', {}],
    [
      'by a folder where what was given runs something',
      '~/src/my.app $ ',
      'bash',
      { givenPrompt: '$(here) $ ' },
    ],
    ['by what the shell was given, and does not run', '$(here) ', 'bash', { givenPrompt: '$(here) ' }],
    ['by what only bash takes for two lines', 'a\\nb> ', 'zsh', { givenPrompt: 'a\\nb> ' }],
    ['by a line of the same, with a number in it', 'a\\n1> ', 'zsh', { givenPrompt: 'a\\n%?> ' }],
    ['by the root folder, where that is home', '/ $ ', 'bash', { cwd: '/', home: '/' }],
    [
      'by what was given, as long as anybody would',
      `${'a'.repeat(8189)}1>`,
      'bash',
      { givenPrompt: `${'a'.repeat(8189)}\\!>` },
    ],
    ['by what fish does not heed', '~/s/my.app> ', 'fish', { givenPrompt: '$ ' }],
  ])('%s', (_, prompt, program, over) => {
    expect(isExplained(prompt, program, seenShell(over))).toBe(true);
  });
});

describe('a prompt is not explained', () => {
  it.each<[string, string, string, Partial<SeenShell>]>([
    ['where nothing is known', '$ ', 'bash', {}],
    ['as a question', 'Commit message> ', 'bash', {}],
    ['as a question that names the folder', 'Save in ~/src/my.app> ', 'bash', {}],
    ['by the name of a folder alone', 'my.app> ', 'bash', {}],
    ['by another folder', 'ann@box:~/src$ ', 'bash', {}],
    ['by a folder that only looks alike', '~/src/myxapp $ ', 'bash', {}],
    ['by a folder below one that only begins like home', '~x $ ', 'bash', { cwd: '/home/annx' }],
    ['by another user', 'bob@box:~/src/my.app$ ', 'bash', {}],
    ['where the user is not known', 'ann@box$ ', 'bash', { user: null }],
    ['by the word for nobody', 'null$ ', 'bash', { user: null }],
    ['by a mark alone, where the folder is not known', '$ ', 'bash', { cwd: null }],
    ['by the sign for home, where that is the root folder', '~ $ ', 'bash', { cwd: '/', home: '/' }],
    [
      'by what was given, longer than anybody would',
      `${'a'.repeat(8190)}1>`,
      'bash',
      { givenPrompt: `${'a'.repeat(8190)}\\!>` },
    ],
    ['by the host alone, in bash', 'box$ ', 'bash', {}],
    ['by the built-in prompt of another shell', 'bash-5.2$ ', 'zsh', {}],
    ['by what fish does not heed', '$ ', 'fish', { givenPrompt: '$ ' }],
    ['by what was given and is not what is shown', '> ', 'bash', { givenPrompt: '$ ' }],
    ['as a question in brackets', '~/src/my.app (overwrite? y/n) > ', 'bash', {}],
    ['as a word in brackets that is no branch', '~/src/my.app (overwrite) > ', 'bash', {}],
    ['as a choice that could be a branch', '~/src/my.app (y/n) > ', 'bash', { branch: null }],
    ['as a question behind a branch', '~/src/my.app (main, sure?) > ', 'bash', {}],
    ['as a word before the folder', '(sure) ~/src/my.app > ', 'bash', {}],
    ['by the folder where another was given', '~/src/my.app > ', 'bash', { givenPrompt: '$ ' }],
    [
      'by who and where where another was given',
      'ann@box:~/src/my.app$ ',
      'bash',
      { givenPrompt: '\\W\\$ ' },
    ],
    ['by zsh’s own where another was given', 'box% ', 'zsh', { givenPrompt: '%# ' }],
    ['as the built-in one where another was given', 'bash-5.2$ ', 'bash', { givenPrompt: '\\w $ ' }],
  ])('%s', (_, prompt, program, over) => {
    expect(isExplained(prompt, program, seenShell(over))).toBe(false);
  });
});

describe('the shape of a prompt', () => {
  it('leaves numbers open, and nothing else', () => {
    expect(shapeOf('[12:34:56] ann $ ')).toBe('[0:0:0] ann $ ');
    expect(shapeOf('➜ ')).toBe('➜ ');
  });

  it('tells what was typed behind it', () => {
    const lines = [
      '[09:00] ❯ claude --resume',
      '[9:1] ❯',
      'x [09:00] ❯ codex',
      '[ab] ❯ ls',
      '[10:11] ❯  vi  ',
    ];
    expect(typedBehind('[12:34] ❯ ', lines)).toEqual(['claude --resume', 'vi']);
    expect(typedBehind('a.b $ ', ['a.b $ ls', 'axb $ ls'])).toEqual(['ls']);
  });
});
