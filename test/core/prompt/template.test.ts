import { describe, expect, it } from 'vitest';
import { givenPattern } from '../../../src/core/prompt/shape.ts';
import { type SeenShell, seenShell } from '../seen-shell.ts';

const shown = (given: string, program: string, prompt: string, over: Partial<SeenShell> = {}) =>
  givenPattern(given, program, seenShell(over))?.test(prompt) ?? null;

// biome-ignore lint/suspicious/noTemplateCurlyInString: as Debian writes it
const DEBIAN = '${debian_chroot:+($debian_chroot)}\\[\\033[01;32m\\]\\u@\\h\\[\\033[00m\\]:\\w\\$ ';

describe('a prompt that was given', () => {
  it.each<[string, string, string, Partial<SeenShell>]>([
    ['bash', '$ ', '$ ', {}],
    ['bash', DEBIAN, 'ann@box:~/src/my.app$ ', {}],
    ['bash', DEBIAN, '(sid)ann@box:~/src/my.app$ ', {}],
    ['bash', '[\\u@\\H \\W]\\$ ', '[ann@box.example.org my.app]$ ', {}],
    ['bash', '\\W> ', '~> ', { cwd: '/home/ann' }],
    ['bash', '\\W> ', '/> ', { cwd: '/' }],
    ['bash', '\\w\\n\\e[1m$?\\e[0m ❯ ', '127 ❯ ', {}],
    ['bash', '\\t \\! \\\\ \\s-\\v\\$ ', '09:10:11 7 \\ bash-5.2$ ', {}],
    ['zsh', '%n@%m %1~ %# ', 'ann@box my.app % ', {}],
    ['zsh', '%F{green}%~%f %{\u001b[1m%}%? 🚀 %B$%b ', '~/src/my.app 0 🚀 $ ', {}],
    ['zsh', '%M%%\n%*> ', '9:10:11> ', {}],
  ])('%s: %s shows %s', (program, given, prompt, over) => {
    expect(shown(given, program, prompt, over)).toBe(true);
  });

  it.each<[string, string, string]>([
    ['bash', '$ ', '~/src/my.app > '],
    ['bash', DEBIAN, '~/src/my.app (overwrite? y/n) > '],
    ['bash', '\\w $ ', '~/src $ '],
    ['zsh', '%# ', 'box% '],
    ['zsh', '%~ > ', '~/src/my.app (sure) > '],
  ])('%s: %s does not show %s', (program, given, prompt) => {
    expect(shown(given, program, prompt)).toBe(false);
  });

  it.each<[string, string, Partial<SeenShell>]>([
    ['bash', '$(here) $ ', {}],
    ['bash', '`here` $ ', {}],
    ['bash', '$PWD $ ', {}],
    ['bash', '\\D{%H} $ ', {}],
    ['bash', '\\u$ ', { user: null }],
    ['bash', '\\w$ ', { cwd: null }],
    ['bash', '\\W$ ', { cwd: null }],
    ['zsh', '%(?..!)%# ', {}],
    ['zsh', '%2~ ', {}],
  ])('%s: %s is not understood', (program, given, over) => {
    expect(shown(given, program, '$ ', over)).toBeNull();
  });
});
