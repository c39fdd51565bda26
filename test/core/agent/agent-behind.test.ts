import { describe, expect, it } from 'vitest';
import { agentBehind } from '../../../src/core/agent/agent-behind.ts';

const recognise = ([first]: readonly string[]) => (/^(?:.*\/)?claude$/.test(first ?? '') ? 'claude' : null);

describe('an agent behind other programs', () => {
  it.each([
    [['env', 'K=1', '/opt/claude', 'delete it']],
    [['/usr/bin/nice', '-n', '10', 'claude', 'delete it']],
    [['timeout', '5000', 'nohup', 'claude']],
    [['bash', '-lc', 'cd /x && exec claude --session-id a "delete it"']],
    [['sh', '-c', 'env K=1 nice -n 5 claude']],
  ])('is seen: %j', (argv) => {
    expect(agentBehind(argv, recognise)).toBe('claude');
  });

  it.each([
    [['vim', 'claude']],
    [['make', 'claude']],
    [['env', 'K=1', 'make']],
    [['sh', '-c', 'echo "ask claude"']],
    [[]],
  ])('is none where nothing starts it: %j', (argv) => {
    expect(agentBehind(argv, recognise)).toBeNull();
  });
});
