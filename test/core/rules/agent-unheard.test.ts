import { describe, expect, it } from 'vitest';
import { agentUnheard } from '../../../src/core/rules/agent-unheard.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { agent, HOUR, NOW, pane, processes, SECOND, shell, word } from '../../support/evidence.ts';
import { findingOf } from '../judged.ts';

const other = agent({ pid: 301, program: 'codex', agentKind: 'codex' });

describe('an agent that has not spoken', () => {
  it('is unknown, never idle', () => {
    expect(findingOf(agentUnheard, [pane(), processes([shell(), agent()])])).toEqual({
      activity: 'unknown',
      since: NOW.at - 2 * HOUR,
      reason: {
        code: 'agent-state-unknown',
        source: 'process',
        observedAt: NOW.at,
        text: 'claude (pid 300) runs, and nothing says what it is doing',
      },
    });
  });

  it.each([
    [
      'is starting while it is young',
      5 * SECOND - 1,
      'starting',
      'agent-starting',
      'claude (pid 300) has just started',
    ],
    ['is no longer starting after that', 5 * SECOND, 'unknown', 'agent-state-unknown', undefined],
  ])('%s', (_, ageMs, activity, code, text) => {
    const young = processes([agent({ startedAt: NOW.at - ageMs })]);
    const finding = findingOf(agentUnheard, [pane(), young]);
    expect(finding).toMatchObject({ activity, reason: { code, ...(text !== undefined && { text }) } });
  });

  it.each<[string, Evidence[]]>([
    ['there are no processes to see', [pane()]],
    ['there is no agent', [pane(), processes([shell()])]],
    ['the agent has spoken', [pane(), processes([shell(), agent()]), word()]],
    [
      'the other one is outside the tree, beside an agent that speaks',
      [pane(), processes([shell(), agent(), { ...other, relation: 'outside' }]), word()],
    ],
  ])('is no matter when %s', (_, evidence) => {
    expect(findingOf(agentUnheard, evidence)).toBeNull();
  });

  it.each<[string, Evidence[], number]>([
    ['another agent speaks', [processes([shell(), agent(), other]), word()], 301],
    ['the one that spoke is gone', [processes([shell(), other]), word()], 301],
    ['the one that spoke is stopped', [processes([shell(), agent({ relation: 'stopped' })]), word()], 300],
    [
      'it runs outside the tree and nobody speaks',
      [processes([shell(), { ...other, relation: 'outside' }])],
      301,
    ],
  ])('is unknown also when %s', (_, evidence, pid) => {
    const finding = findingOf(agentUnheard, [pane(), ...evidence]);
    expect(finding?.activity).toBe('unknown');
    expect(finding?.reason.text).toContain(`(pid ${pid})`);
  });
});
