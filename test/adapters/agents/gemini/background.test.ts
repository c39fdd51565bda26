import { describe, expect, test } from 'vitest';
import { backgroundSign, householdOf } from '../../../../src/adapters/agents/gemini/background.ts';
import type { PaneProcess } from '../../../../src/ports/agent.ts';
import { geminiProcess, processOf, STARTED_AT, shellOf } from './scene.ts';

const SERVERS = [
  { command: 'node', args: ['/home/dev/acme/mcp.mjs'] },
  { command: 'npx', args: ['-y', '@acme/search-server'] },
  { command: '$HOME/bin/notes-server', args: ['--folder', '$NOTES'] },
];

const told = (others: readonly PaneProcess[], isTitleReady = true) =>
  backgroundSign(householdOf({ agent: geminiProcess(), others: () => others }, SERVERS), {
    now: 9,
    isVerified: true,
    isTitleReady,
  })?.background;

describe('what Gemini left running', () => {
  test('S12: a command in the background counts once, with all that it started', () => {
    const shell = shellOf('sleep 300');
    const inner = shellOf('sleep 300', { pid: 301, parentPid: 300 });
    const sleep = processOf({ argv: ['sleep', '300'], pid: 302, parentPid: 301 });
    expect(told([sleep, inner, shell])).toBe(1);
    expect(told([shell, shellOf('make', { pid: 400 })])).toBe(2);
  });

  test('S12: a command behind a sandbox is one too', () => {
    const [, flag, script] = shellOf('make').argv as [string, string, string];
    expect(told([processOf({ argv: ['bwrap', '--ro-bind', '/', '/', 'bash', flag, script] })])).toBe(1);
  });

  test('S21: what left the tree since it started counts, what was there before does not', () => {
    const stray = processOf({ argv: ['sleep', '333'], parentPid: 1, relation: 'outside' });
    expect(told([stray])).toBe(1);
    expect(told([{ ...stray, startedAt: STARTED_AT - 60_000 }])).toBe(0);
  });

  test('S27: the servers of its settings are no work', () => {
    expect(told([processOf({ argv: ['node', '/home/dev/acme/mcp.mjs'] })])).toBe(0);
    expect(told([processOf({ argv: ['/usr/bin/node', '/home/dev/acme/mcp.mjs'] })])).toBe(0);
    expect(told([processOf({ argv: ['npm exec @acme/search-server'] })])).toBe(0);
    expect(told([processOf({ argv: ['node', '/usr/bin/npx', '-y', '@acme/search-server'] })])).toBe(0);
    expect(told([processOf({ argv: ['/home/dev/bin/notes-server', '--folder', '/home/dev/notes'] })])).toBe(
      0,
    );
    const child = processOf({ argv: ['sh', '-c', 'search-server'], pid: 301, parentPid: 300 });
    expect(told([processOf({ argv: ['npm exec @acme/search-server'] }), child])).toBe(0);
  });

  test('a process that nothing explains may be work: then it is not known that there is none', () => {
    expect(told([processOf({ argv: ['node', '/home/dev/acme/other.mjs'] })])).toBeUndefined();
    expect(told([processOf({ argv: ['npm exec @acme/deploy'] })])).toBeUndefined();
    expect(told([processOf({ argv: ['node', 'x', '/home/dev/acme/mcp.mjs', '--watch'] })])).toBeUndefined();
    expect(told([processOf({ argv: [] })])).toBeUndefined();
    expect(told([processOf({ argv: ['vim', 'x'] }), shellOf('make', { pid: 400 })])).toBe(1);
  });

  test('S14: while its turn runs, a shell may be the one in front, and nothing is told', () => {
    expect(told([shellOf('make')], false)).toBeUndefined();
    expect(told([], false)).toBeUndefined();
  });

  test('nothing below it and nothing outside is none', () => {
    expect(told([])).toBe(0);
  });
});
