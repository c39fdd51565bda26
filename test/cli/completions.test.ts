import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMAND_NAMES } from '../../src/cli/frame/load-command.ts';
import { run } from './fake-outside.ts';
import { entry, roll } from './render/samples.ts';

const HOSTILE = [
  'plain',
  'sp ace',
  '$(touch pwned)',
  '`touch pwned`',
  '-dash',
  "quo'te",
  'glob*',
  '#(touch pwned)',
  'ünï',
];
const has = (shell: string) => {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

let folder: string;
let script: string;

/** A folder with the script of one shell and a rollcall that knows hostile names. */
async function prepare(shell: string): Promise<void> {
  script = join(folder, `completion.${shell}`);
  writeFileSync(script, (await run(['completions', shell])).stdout);
  writeFileSync(join(folder, 'names'), `${HOSTILE.join('\n')}\n`);
  writeFileSync(join(folder, 'rollcall'), `#!/bin/sh\n[ "$1" = __names ] && cat "${folder}/names"\n`, {
    mode: 0o755,
  });
}

const env = () => ({
  ...process.env,
  PATH: `${folder}:${process.env.PATH}`,
  HOME: folder,
  LC_ALL: 'C.UTF-8',
});

beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'completion-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the names for completion', () => {
  it('are printed one per line, each once, safe', async () => {
    const hostile = roll([entry('a b'), entry('x\ny\u001b'), entry('a b', { key: 'other' })]);
    expect(await run(['__names'], { roll: hostile })).toMatchObject({
      exitCode: 0,
      stdout: 'a b\nx\\ny\\e\n',
    });
  });
});

describe.skipIf(!has('bash'))('in bash', () => {
  /** What bash would offer for these words, the last of them being typed. */
  function offered(...words: string[]): string[] {
    const program = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rollcall; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['--norc', '-c', program, script, 'rollcall', ...words], {
      env: env(),
      cwd: folder,
      encoding: 'utf8',
    });
    return out.split('\n').filter(Boolean);
  }

  beforeEach(() => prepare('bash'));

  it.each([
    [['expl'], ['explain']],
    [['config', ''], ['explain']],
    [['--life'], ['--lifecycle']],
    [
      ['--color', '='],
      ['auto', 'always', 'never'],
    ],
    [['--color', '=', 'al'], ['always']],
    [['--color', 'ne'], ['never']],
    [['--lifecycle', 'st'], ['stale']],
    [['--lifecycle', 'stale,lo'], ['stale,lost']],
    [
      ['completions', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['completions', 'z'], ['zsh']],
    [['explain', '--j'], ['--json']],
    [['explain', '--life'], []],
    [['explain', 'pl'], ['plain']],
    [['--json', 'explain', 'pl'], ['plain']],
    [['--config', 'x', 'explain', 'pl'], ['plain']],
    [['config', 'explain', ''], []],
    [['version', ''], []],
    [['watch', 'pl'], ['plain']],
    [['other', 'pl'], ['plain']],
    [['explain', '--', '-'], ['-dash']],
  ])('%j offers %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  it('offers commands and names first', () => {
    const first = [...new Set(COMMAND_NAMES.map((name) => name.split(' ')[0]))];
    expect(offered('')).toEqual(expect.arrayContaining([...first, 'plain']));
  });

  it('S55: quotes the names and runs none of them', () => {
    const names = offered('explain', '');
    expect(names).toContain('sp\\ ace');
    // Whatever bash inserts has to read back as the very name.
    const program = `for word in ${names.join(' ')}; do printf '%s\\n' "$word"; done`;
    const back = execFileSync('bash', ['--norc', '-c', program], { cwd: folder, encoding: 'utf8' });
    expect(back.trimEnd().split('\n')).toEqual(HOSTILE.filter((name) => !name.startsWith('-')));
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });
});

describe.skipIf(!has('zsh'))('in zsh', () => {
  beforeEach(() => prepare('zsh'));

  it('is a script that zsh can read', () => {
    execFileSync('zsh', ['-f', '-n', script]);
  });
});

describe.skipIf(!has('fish'))('in fish', () => {
  const offered = (line: string): string[] =>
    execFileSync('fish', ['-c', 'source $argv[1]; complete -C $argv[2]', script, line], {
      env: env(),
      cwd: folder,
      encoding: 'utf8',
    })
      .split('\n')
      .filter(Boolean)
      .map((offer) => offer.split('\t')[0] ?? '');

  beforeEach(() => prepare('fish'));

  it.each([
    ['rollcall expl', ['explain']],
    ['rollcall config ', ['explain']],
    ['rollcall --color=al', ['--color=always']],
    ['rollcall completions z', ['zsh']],
    ['rollcall explain pl', ['plain']],
  ])('%s offers %j', (line, expected) => {
    expect(offered(line)).toEqual(expected);
  });

  it('S55: offers hostile names and runs none of them', () => {
    expect(offered('rollcall explain ')).toEqual(
      expect.arrayContaining(HOSTILE.filter((name) => !name.startsWith('-'))),
    );
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });
});

describe('every script', () => {
  it.each(['bash', 'zsh', 'fish'])('of %s knows every command, and what to do about names', async (shell) => {
    const { stdout } = await run(['completions', shell]);
    for (const name of COMMAND_NAMES) for (const word of name.split(' ')) expect(stdout).toContain(word);
    expect(stdout).toContain('rollcall __names 2>/dev/null');
    expect(stdout).not.toMatch(/compgen -W/);
  });
});
