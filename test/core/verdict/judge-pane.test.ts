import { describe, expect, it } from 'vitest';
import { judgePane } from '../../../src/core/verdict/classify.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import {
  agent,
  idleAgent,
  NOW,
  note,
  POLICY,
  pane,
  plainShell,
  processes,
  shell,
  unavailable,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { paneFactsOf } from '../judged.ts';

const judge = (evidence: Evidence[]) => judgePane(paneFactsOf(evidence), NOW, POLICY);
const codes = (evidence: Evidence[]) => judge(evidence).findings.map((finding) => finding.reason.code);

describe('the judgement of a pane', () => {
  it('is its busiest finding, and lists the others behind it', () => {
    const vim = note({ pid: 201, role: 'interactive' });
    const evidence = withPieces(plainShell(), processes([shell(), vim, note()]));
    expect(judge(evidence).decisive.activity).toBe('working');
    expect(codes(evidence)).toEqual(['command-running', 'interactive-program']);
  });

  it('lists equally busy findings by code', () => {
    const evidence = withPieces(plainShell(), processes([shell(), note({ cpuPercent: 99 })]));
    expect(codes(evidence)).toEqual(['command-running', 'progress']);
    const failed = withPieces(
      idleAgent(),
      processes([shell(), agent(), note({ role: 'remote' })]),
      unavailable('agent'),
    );
    expect(codes(failed)).toEqual(['sensor-unavailable', 'work-elsewhere', 'agent-says-idle']);
  });

  it('is unknown when an agent calls itself idle while something works', () => {
    const evidence = withPieces(idleAgent(), pane(), processes([shell(), agent(), note()]));
    const { decisive } = judge(evidence);
    expect(decisive).toMatchObject({
      activity: 'unknown',
      reason: { code: 'sources-disagree', source: 'agent' },
    });
    expect(decisive.reason.text).toBe(
      'sources disagree: its own status says: idle, but make (pid 200) has not returned',
    );
    expect(codes(evidence)).toEqual(['sources-disagree', 'command-running', 'agent-says-idle']);
  });

  it('is no quarrel when an agent says that it works, or when only the agent speaks', () => {
    const busy = withPieces(idleAgent(), processes([shell(), agent(), note()]), word({ turn: 'running' }));
    expect(judge(busy).decisive.reason.code).toBe('agent-says-working');
    expect(judge(idleAgent()).decisive.reason.code).toBe('agent-says-idle');
  });

  it('is unknown when no rule has anything to say', () => {
    const stopped = processes([shell({ role: 'wrapper', program: 'sudo' }), note({ relation: 'stopped' })]);
    const { decisive, findings } = judge(withPieces(plainShell(), stopped));
    expect(decisive).toMatchObject({
      activity: 'unknown',
      reason: { code: 'nothing-says', observedAt: NOW.at },
    });
    expect(findings).toEqual([decisive]);
  });
});
