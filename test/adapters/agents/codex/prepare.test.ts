import { describe, expect, it } from 'vitest';
import { prepare } from '../../../../src/adapters/agents/codex/command-line.ts';

describe('a new Codex', () => {
  it.each([
    [['codex'], ['codex', '--no-daemon']],
    [
      ['codex', 'fix it'],
      ['codex', '--no-daemon', 'fix it'],
    ],
    [
      ['codex', 'resume', '--last'],
      ['codex', '--no-daemon', 'resume', '--last'],
    ],
    [
      ['codex', '--', '--no-daemon'],
      ['codex', '--no-daemon', '--', '--no-daemon'],
    ],
    [
      ['node', '/x/node_modules/@openai/codex/bin/codex.js', '-m', 'o'],
      ['node', '/x/node_modules/@openai/codex/bin/codex.js', '--no-daemon', '-m', 'o'],
    ],
  ])('runs its conversations itself: %j', (argv, wanted) => expect(prepare(argv)).toEqual({ argv: wanted }));

  it.each([
    [['codex', '--no-daemon']],
    [['codex', '--remote', 'ws://host']],
    [['codex', 'agents']],
    [['make']],
  ])('stays as it was written: %j', (argv) => expect(prepare(argv)).toEqual({ argv }));
});
