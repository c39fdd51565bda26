import { describe, expect, it } from 'vitest';
import { findCommand } from '../../src/cli/frame/find-command.ts';
import { GLOBAL_FLAGS } from '../../src/cli/frame/global-flags.ts';
import { FILTER_FLAGS } from '../../src/cli/roll/filter-flags.ts';

const NAMES = ['roll', 'explain', 'config explain', 'help', 'lock', 'lock status'];
const find = (...argv: string[]) => findCommand(argv, NAMES, 'roll', { ...GLOBAL_FLAGS, ...FILTER_FLAGS });

describe('the command of a line', () => {
  it.each([
    [[], 'roll', []],
    [['--json'], 'roll', ['--json']],
    [['build-*'], 'roll', ['build-*']],
    [['roll', 'explain'], 'roll', ['explain']],
    [['explain', 'a'], 'explain', ['a']],
    [['explain', 'explain'], 'explain', ['explain']],
    [['--json', 'explain', 'a'], 'explain', ['--json', 'a']],
    [['--config', 'explain', 'a'], 'roll', ['--config', 'explain', 'a']],
    [['--config=x', 'explain'], 'explain', ['--config=x']],
    [['--lifecycle', 'stale', 'explain'], 'explain', ['--lifecycle', 'stale']],
    [['a', 'explain'], 'roll', ['a', 'explain']],
    [['config', 'explain'], 'config explain', []],
    [
      ['--json', 'config', '--config', 'f', 'explain', 'x'],
      'config explain',
      ['--json', '--config', 'f', 'x'],
    ],
    [['lock', '--', 'make'], 'lock', ['--', 'make']],
    [['--json', 'lock', 'status', '--project', '.'], 'lock status', ['--json', '--project', '.']],
    [['lock', '--name', 'status', '--', 'make'], 'lock', ['--name', 'status', '--', 'make']],
    [['lock', '--', 'status'], 'lock', ['--', 'status']],
    [['--', 'explain'], 'roll', ['--', 'explain']],
    [['-x', 'explain'], 'explain', ['-x']],
    [['exp'], 'roll', ['exp']],
    [[''], 'roll', ['']],
  ])('%j is found', (argv, name, rest) => {
    expect(find(...argv)).toEqual({ name, rest });
  });

  it.each([
    [['config'], 'config needs a second word'],
    [['config', 'show'], 'unknown command config show'],
    [['config', '--', 'explain'], 'config needs a second word'],
  ])('%j is incomplete', (argv, message) => {
    expect(() => find(...argv)).toThrow(
      expect.objectContaining({
        message,
        exitCode: 2,
        hint: 'write rollcall config explain; for a session of this name, rollcall -- config',
      }),
    );
  });
});
