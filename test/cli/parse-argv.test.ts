import { describe, expect, it } from 'vitest';
import type { FlagSpecs } from '../../src/cli/frame/command.ts';
import { parseArgv } from '../../src/cli/frame/parse-argv.ts';
import { Failure } from '../../src/operations/failure.ts';

const SPECS: FlagSpecs = {
  json: { kind: 'switch', help: '' },
  help: { kind: 'switch', short: 'h', help: '' },
  config: { kind: 'word', placeholder: 'FILE', help: '' },
  server: { kind: 'words', placeholder: 'LABEL', help: '' },
  agent: { kind: 'list', placeholder: 'KIND', help: '' },
  color: { kind: 'choice', placeholder: 'WHEN', values: ['auto', 'always', 'never'], help: '' },
  lifecycle: { kind: 'choices', placeholder: 'LIST', values: ['active', 'stale', 'safe-to-close'], help: '' },
};

const parse = (...argv: string[]) => parseArgv(argv, SPECS);

function failure(...argv: string[]): Failure {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('a command line', () => {
  it('without anything gives every flag its rest value', () => {
    expect(parse()).toEqual({
      flags: {
        json: false,
        help: false,
        config: undefined,
        server: [],
        agent: [],
        color: undefined,
        lifecycle: [],
      },
      words: [],
    });
  });

  it.each([
    [['--json'], { json: true }],
    [['--json', '--json'], { json: true }],
    [['-h'], { help: true }],
    [['--config', 'a b.json'], { config: 'a b.json' }],
    [['--config=a=b.json'], { config: 'a=b.json' }],
    [['--config=-odd'], { config: '-odd' }],
    [['--config', '-'], { config: '-' }],
    [['--server=a', '--server', 'b,c'], { server: ['a', 'b,c'] }],
    [['--agent=claude,codex', '--agent', 'none'], { agent: ['claude', 'codex', 'none'] }],
    [['--color=never'], { color: 'never' }],
    [['--lifecycle', 'stale,active', '--lifecycle=stale'], { lifecycle: ['stale', 'active'] }],
    [['--lifecycle', 'stale, active'], { lifecycle: ['stale', 'active'] }],
  ])('%j is read', (argv, flags) => {
    expect(parse(...argv).flags).toMatchObject(flags);
  });

  it('mixes words and flags', () => {
    expect(parse('a', '--json', 'b', '--config', 'c', 'd')).toMatchObject({
      words: ['a', 'b', 'd'],
      flags: { config: 'c' },
    });
  });

  it('S9: takes odd names as words, and any name behind --', () => {
    const names = ['a.b', 'a:b', 'sp ace', 'üñ🚀', '#(touch x)', '$5', '%3', '', '-', '*'];
    expect(parse(...names).words).toEqual(names);
    expect(parse('--json', '--', '-dash', '--json', '--', '-h').words).toEqual([
      '-dash',
      '--json',
      '--',
      '-h',
    ]);
  });

  it.each([
    [['--jsno'], 'unknown flag --jsno', 'did you mean --json?'],
    [['--lifecycles=stale'], 'unknown flag --lifecycles', 'did you mean --lifecycle?'],
    [['--life', 'stale'], 'unknown flag --life', 'did you mean --lifecycle?'],
    [['-x'], 'unknown flag -x', 'put -- before names that begin with a dash'],
    [['-dash-name'], 'unknown flag -dash-name', 'put -- before names that begin with a dash'],
    [['--JSON'], 'unknown flag --JSON', 'did you mean --json?'],
    [['---'], 'unknown flag ---', 'put -- before'],
    [['--json=true'], '--json takes no value', 'write --json alone'],
    [['--config'], '--config needs a value', 'write --config=FILE'],
    [['--config='], '--config needs a value', 'write --config=FILE'],
    [['--config', '--json'], '--config needs a value', 'write --config=FILE'],
    [['--config', '--'], '--config needs a value', 'write --config=FILE'],
    [['--config=a', '--config=b'], '--config is given twice', 'give it once'],
    [['--color'], '--color needs a value', 'auto|always|never'],
    [['--color=yes'], "--color cannot be 'yes'", 'allowed: auto, always, never'],
    [['--color=auto,never'], "--color cannot be 'auto,never'", 'allowed: auto, always, never'],
    [
      ['--lifecycle=stael'],
      "--lifecycle cannot be 'stael'",
      'did you mean stale? allowed: active, stale, safe-to-close',
    ],
    [['--lifecycle=safe'], "--lifecycle cannot be 'safe'", 'did you mean safe-to-close?'],
    [['--lifecycle=Stale'], "--lifecycle cannot be 'Stale'", 'did you mean stale?'],
    [['--lifecycle=stale,'], "--lifecycle has an empty part: 'stale,'", 'write --lifecycle='],
    [['--agent=,'], "--agent has an empty part: ','", 'write --agent=KIND'],
  ])('%j is refused, and says what to write', (argv, message, hint) => {
    const refused = failure(...argv);
    expect(refused.message).toBe(message);
    expect(refused.hint).toContain(hint);
    expect(refused.exitCode).toBe(2);
  });
});
