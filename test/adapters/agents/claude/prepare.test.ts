import { describe, expect, it } from 'vitest';
import { conversationNamedIn, prepare } from '../../../../src/adapters/agents/claude/command-line.ts';

const ID = '94bb641c-0d3a-4c8e-9c1e-2f4a5b6c7d8e';

describe('a new Claude Code', () => {
  it.each([
    [['claude'], ['claude', '--session-id', 'ID']],
    [
      ['claude', 'do -c'],
      ['claude', '--session-id', 'ID', 'do -c'],
    ],
    [
      ['claude', '--', '-c'],
      ['claude', '--session-id', 'ID', '--', '-c'],
    ],
    [
      ['node', '/x/node_modules/@anthropic-ai/claude-code/cli.js', '--model', 'opus'],
      ['node', '/x/node_modules/@anthropic-ai/claude-code/cli.js', '--session-id', 'ID', '--model', 'opus'],
    ],
    // What is given to another option chooses nothing.
    [
      ['claude', '-nrc', '--append-system-prompt', '-rules first', '-dc'],
      ['claude', '--session-id', 'ID', '-nrc', '--append-system-prompt', '-rules first', '-dc'],
    ],
  ])('gets a conversation of its own: %j', (argv, wanted) => {
    expect(prepare(argv, () => 'ID')).toEqual({ argv: wanted, conversation: 'ID' });
  });

  it.each([
    [['claude', '--session-id', 'x']],
    [['claude', '--session-id=x']],
    [['claude', '--resume']],
    [['claude', '--resume=x']],
    [['claude', '-r', 'x']],
    [['claude', '--continue']],
    [['claude', '-c']],
    [['claude', '-cn', 'x']],
    [['claude', '-rx']],
    [['claude', '-r=x']],
    [['claude', '-cr', 'x']],
    [['claude', '--from-pr=7']],
    [['make']],
  ])('keeps what was chosen: %j', (argv) => expect(prepare(argv)).toEqual({ argv }));

  it.each([
    [['claude', '--session-id', ID]],
    [['claude', '--model', 'opus', '--resume', ID]],
    [['claude', '-r', ID]],
    [['claude', `-r${ID}`]],
    [['claude', `-r=${ID}`]],
    [['claude', '-cr', ID]],
    [['claude', `-cr${ID}`, '--verbose']],
    [['claude', `--resume=${ID}`]],
    [['claude', `--session-id=${ID}`]],
  ])('tells the conversation that was chosen: %j', (argv) =>
    expect(prepare(argv)).toEqual({ argv, conversation: ID }),
  );

  it('tells none of a copy, which gets an id of its own', () => {
    const argv = ['claude', '--resume', ID, '--fork-session'];
    expect(prepare(argv)).toEqual({ argv });
  });

  it('names an id that Claude Code takes', () => {
    const { argv, conversation } = prepare(['claude']);
    expect(conversationNamedIn(argv)).toBe(conversation);
  });
});
