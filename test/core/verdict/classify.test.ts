import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/core/verdict/classify.ts';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import {
  agent,
  DAY,
  deadPane,
  exitedAgent,
  HOUR,
  history,
  idleAgent,
  massDeath,
  NOW,
  named,
  note,
  onPane,
  POLICY,
  pane,
  plainShell,
  processes,
  shell,
  standing,
  unavailable,
  without,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { verdictOn } from '../judged.ts';

describe('the verdict', () => {
  it('puts the reason of the lifecycle first, then the findings of the busiest pane', () => {
    const evidence = [...idleAgent(), ...onPane('%2', [pane(), processes([shell(), note()]), history()])];
    const { reasons } = verdictOn(evidence);
    expect(reasons.map(({ code, text }) => [code, text])).toEqual([
      ['command-running', '%2: make (pid 200) has not returned'],
      ['agent-says-idle', '%1: its own status says: idle'],
    ]);
    const [lifecycle, activity] = verdictOn(idleAgent()).reasons;
    expect([lifecycle?.code, activity?.text]).toEqual(['proven', 'its own status says: idle']);
  });

  it('says that nothing was heard when there is no evidence, and what failed when a sensor did', () => {
    expect(verdictOn([]).reasons).toEqual([
      {
        code: 'no-fresh-evidence',
        source: 'tmux',
        observedAt: NOW.at,
        text: 'nothing has been heard of it just now',
      },
    ]);
    expect(verdictOn([unavailable('tmux', { observedAt: NOW.at - 5 })]).reasons).toEqual([
      { code: 'sensor-unavailable', source: 'tmux', observedAt: NOW.at - 5, text: 'tmux does not answer' },
    ]);
  });

  it('names whom a waiting session waits for, per pane and for the session', () => {
    const verdict = verdictOn(withPieces(idleAgent(), word({ waitingFor: 'trust' })));
    expect(verdict.waitingFor).toBe('trust');
    expect(verdict.panes).toEqual([{ paneId: '%1', activity: 'waiting', waitingFor: 'trust' }]);
    expect(verdictOn(idleAgent()).waitingFor).toBeNull();
  });

  it('shows protections beside the verdict without bending it', () => {
    const evidence = withPieces(idleAgent(), standing({ isManaged: false, isOwnSession: true }));
    expect(verdictOn(evidence).lifecycle).toBe('safe-to-close');
    expect(verdictOn(evidence).protections.map((one) => one.code)).toEqual(['own-session', 'not-managed']);
  });

  it('doubts every session of a server on which nearly everything died at once', () => {
    const verdict = verdictOn([...deadPane(), massDeath()]);
    expect(verdict.lifecycle).toBe('unknown');
    expect(verdict.reasons[0]).toMatchObject({ code: 'mass-death', source: 'history' });
  });
});

describe('the agent of a session', () => {
  const { agentVersion: _, conversation: __, ...terse } = named();
  it.each<[string, Evidence[], object | null]>([
    ['is known by its word', idleAgent(), { kind: 'claude', version: '2.1', conversation: 'c-1', pid: 300 }],
    [
      'is known by its process alone',
      without(idleAgent(), 'agent', 'agent-sign', 'history'),
      { kind: 'claude', version: null, conversation: null, pid: 300 },
    ],
    [
      'may leave out version and conversation',
      withPieces(idleAgent(), terse),
      { kind: 'claude', version: null, conversation: null, pid: 300 },
    ],
    [
      'has no pid once it has exited',
      exitedAgent(),
      { kind: 'claude', version: null, conversation: null, pid: null },
    ],
    [
      'has no pid when its word outlived it',
      withPieces(exitedAgent(), named(), word()),
      { kind: 'claude', version: '2.1', conversation: 'c-1', pid: null },
    ],
    ['is none in a plain shell', plainShell(), null],
    [
      'is the one in the busiest pane',
      [
        ...idleAgent(),
        ...onPane('%2', [
          pane(),
          processes([shell({ pid: 400 }), agent({ pid: 500, parentPid: 400, agentKind: 'codex' })]),
          named({ agentKind: 'codex', agentPid: 500 }),
          word({ agentKind: 'codex', agentPid: 500, waitingFor: 'question' }),
        ]),
      ],
      { kind: 'codex', version: '2.1', conversation: 'c-1', pid: 500 },
    ],
  ])('%s', (_, evidence, expected) => {
    expect(verdictOn(evidence).agent).toEqual(expected);
  });
});

describe('since', () => {
  const at = (evidence: Evidence[], previous?: Parameters<typeof classify>[3]) =>
    classify(evidence, NOW, POLICY, previous).since;
  const before = { activity: 'idle', lifecycle: 'safe-to-close', since: NOW.at - DAY } as const;

  it('is the last output of a session at rest', () => {
    expect(at(idleAgent())).toBe(NOW.at - HOUR);
    expect(at(exitedAgent())).toBe(NOW.at - HOUR);
    expect(at(plainShell())).toBe(NOW.at - HOUR);
  });

  it('is the start of what runs', () => {
    expect(at(withPieces(plainShell(), processes([shell(), note()])))).toBe(NOW.at - 2 * HOUR);
  });

  it('is now when nothing is known of the beginning', () => {
    expect(at([])).toBe(NOW.at);
    expect(at(withPieces(idleAgent(), word({ turn: 'running' })))).toBe(NOW.at);
  });

  it('is kept as long as activity and lifecycle last', () => {
    expect(at(idleAgent(), before)).toBe(before.since);
    expect(at(idleAgent(), { ...before, since: NOW.at })).toBe(NOW.at - HOUR);
    expect(at(idleAgent(), { ...before, activity: 'exited' })).toBe(NOW.at - HOUR);
    expect(at(idleAgent(), { ...before, lifecycle: 'active' })).toBe(NOW.at - HOUR);
  });
});
