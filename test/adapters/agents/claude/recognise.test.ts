import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../../src/adapters/agents/claude/claude-agent.ts';
import { conversationNamedIn } from '../../../../src/adapters/agents/claude/command-line.ts';
import { CONVERSATION } from './fixtures.ts';

const { recognises } = claudeAgent();

describe('S8: a path with claude in it is not Claude', () => {
  it.each([
    [['demiclaude']],
    [['vim', 'claude.md']],
    [['bash', '/home/x/.claude/shell-snapshots/x.sh']],
    [['/bin/bash', '-c', 'source /home/x/.claude/shell-snapshots/x.sh && eval make']],
    [['node', '/srv/node_modules/@anthropic-ai/claude-code-tools/cli.js']],
    [['docker', 'exec', '-it', 'box', 'claude']],
    [[]],
  ])('S8: %j', (argv) => expect(recognises(argv)).toBe(false));
});

describe('S22: Claude is known by its program, also behind an interpreter', () => {
  it.each([
    [['claude']],
    [['/home/x/.local/bin/claude', '--resume', 'y']],
    [['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js', '--continue']],
    [['/srv/node_modules/.bin/claude', '--permission-mode', 'default']],
    [['/bin/sh', '/home/x/.claude/local/claude', '--continue']],
    [['claude', 'fix the parser']],
    [['claude', '--', '-p']],
    [['claude', '--permission-mode', 'plan', '--name', 'top']],
    [['claude', '-rpaper', '-nprod']],
  ])('S22: %j', (argv) => expect(recognises(argv)).toBe(true));
});

it.each([
  [['claude', '-p', 'say hi']],
  [['claude', '--model', 'opus', '--print']],
  [['claude', '-pc', 'go on']],
  [['claude', '-cp', 'go on']],
  [['claude', 'mcp', 'serve']],
  [['claude', 'agents']],
  [['claude', 'daemon', 'run']],
  [['claude', '--bg', 'do it']],
  [['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js', 'update']],
  [['claude', '--version']],
])('a command that returns, or serves others, is not a conversation: %j', (argv) => {
  expect(recognises(argv)).toBe(false);
});

it.each([
  [['claude', '--session-id', CONVERSATION], CONVERSATION],
  [['claude', `--resume=${CONVERSATION}`], CONVERSATION],
  [['claude', '-r', CONVERSATION], CONVERSATION],
  [['claude', '--resume', CONVERSATION, '--fork-session'], undefined],
  [['claude', '--resume', 'x', `-r${CONVERSATION}`], CONVERSATION],
  [['claude', '--append-system-prompt', `-r${CONVERSATION}`], undefined],
  [['claude', '--resume', '../../etc/passwd'], undefined],
  [['claude', '--resume'], undefined],
  [['claude', '--', '--resume', CONVERSATION], undefined],
  [['claude'], undefined],
])('the conversation that %j names is %s', (argv, conversation) => {
  expect(conversationNamedIn(argv)).toBe(conversation);
});
