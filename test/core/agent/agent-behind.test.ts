import { describe, expect, it } from 'vitest';
import { agentBehind } from '../../../src/core/agent/agent-behind.ts';

// At its prompt alone, as the adapters do it.
const recognise = ([first = '', second = '', ...more]: readonly string[]) => {
  const isScript = first === 'node' && second.includes('/node_modules/@anthropic-ai/claude-code/');
  const isIt = isScript || /^(?:.*\/)?claude$/.test(first);
  return isIt && ![second, ...more].includes('-p') ? 'claude' : null;
};

it('is found by several words in a row', () => {
  const byTwo = ([first, second]: readonly string[]) =>
    first === 'tool' && second === 'agent' ? 'tool' : null;
  expect(agentBehind(['env', 'tool', 'agent'], byTwo)).toBe('tool');
  expect(agentBehind(['env', 'agent', 'tool'], byTwo)).toBeNull();
});

describe('an agent behind other programs', () => {
  it.each([
    [['env', 'K=1', '/opt/claude', 'delete it']],
    [['/usr/bin/nice', '-n', '10', 'claude', 'delete it']],
    [['timeout', '5000', 'nohup', 'claude']],
    [['bash', '-lc', 'cd /x && exec claude --session-id a "delete it"']],
    [['sh', '-c', 'env K=1 nice -n 5 claude']],
    [['taskset', '-c', '0', 'claude', 'delete it']],
    [['flock', '/tmp/l', '-c', 'claude "delete it"']],
    [['perl', '-e', 'exec("claude", "delete it")']],
    [['bash', '-c', 'A=claude; $A "delete it"']],
    [['bash', '-c', `: ${'x'.repeat(5000)}; claude`]],
    [['make', 'claude']],
    [['/opt/claude', '-p', 'delete it']],
    [['env', 'K=1', 'claude', '-p', 'delete it']],
    [['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js', '-p', 'delete it']],
    [['npx', '-y', '@anthropic-ai/claude-code', 'delete it']],
    [['bunx @anthropic-ai/claude-code@latest "delete it"']],
  ])('is seen: %j', (argv) => {
    expect(agentBehind(argv, recognise)).toBe('claude');
  });

  it.each([
    [['vim', 'claude.md', '/home/me/.claude/settings.json']],
    [['env', 'K=1', 'make', 'claudette']],
    [['sh', '-c', 'echo ask them; npm run dev']],
    [['npx', '@anthropic-ai/sdk']],
    [[]],
  ])('is none where nothing starts it: %j', (argv) => {
    expect(agentBehind(argv, recognise)).toBeNull();
  });
});
