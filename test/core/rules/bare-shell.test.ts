import { describe, expect, it } from 'vitest';
import { bareShell } from '../../../src/core/rules/bare-shell.ts';
import type { ProcessNote } from '../../../src/core/verdict/evidence.ts';
import { agent, history, NOW, note, pane, processes, shell } from '../../support/evidence.ts';
import { findingOf } from '../judged.ts';

const find = (...notes: ProcessNote[]) => findingOf(bareShell, [pane(), processes(notes)]);

describe('a bare shell', () => {
  it('is a plain terminal where no agent was seen', () => {
    expect(find(shell())).toEqual({
      activity: 'none',
      reason: {
        code: 'plain-shell',
        source: 'process',
        observedAt: NOW.at,
        text: 'a plain terminal: bash (pid 100) at its prompt',
      },
    });
  });

  it('S44: is the leftover of an agent that was seen', () => {
    const evidence = [pane(), processes([shell()]), history({ agentSeen: 'claude' })];
    expect(findingOf(bareShell, evidence)).toEqual({
      activity: 'exited',
      reason: {
        code: 'agent-exited',
        source: 'history',
        observedAt: NOW.at,
        text: 'claude has exited; only bash (pid 100) is left',
      },
    });
  });

  it.each<[string, ProcessNote[]]>([
    ['in a shell', [shell(), shell({ pid: 101, parentPid: 100 })]],
    ['below a wrapper', [shell({ role: 'wrapper' }), shell({ pid: 101, parentPid: 100 })]],
    ['over a stopped job', [shell(), note({ relation: 'stopped' })]],
    ['with a stray outside the tree', [shell(), note({ relation: 'outside' })]],
  ])('may stand %s', (_, notes) => {
    expect(find(...notes)?.activity).toBe('none');
  });

  it.each<[string, ProcessNote[]]>([
    ['a command runs', [shell(), note()]],
    ['an agent runs', [shell(), agent()]],
    ['an editor is open', [shell(), note({ role: 'interactive' })]],
    ['only a stray is left', [shell({ relation: 'outside' })]],
    ['there is nothing', []],
  ])('is not one while %s', (_, notes) => {
    expect(find(...notes)).toBeNull();
  });

  it('is not seen without processes', () => {
    expect(findingOf(bareShell, [pane()])).toBeNull();
  });
});
