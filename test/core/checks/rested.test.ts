import { describe, expect, it } from 'vitest';
import { neededRestMs, rested } from '../../../src/core/checks/rested.ts';
import {
  deadPane,
  exitedAgent,
  HOUR,
  idleAgent,
  MINUTE,
  NOW,
  onPane,
  POLICY,
  plainShell,
  standing,
  withPieces,
} from '../../support/evidence.ts';
import { judgedOf } from '../judged.ts';

describe('the rest that is asked for', () => {
  it.each([
    ['an idle agent', POLICY.idleAfterMs, idleAgent()],
    ['a plain terminal', POLICY.idleAfterMs, plainShell()],
    ['what an exited agent left', POLICY.exitedAfterMs, exitedAgent()],
    ['a dead pane', 0, deadPane()],
    [
      'a dead pane beside a leftover',
      POLICY.exitedAfterMs,
      [...deadPane(), ...onPane('%2', exitedAgent().slice(0, 3))],
    ],
    ['nothing at all', POLICY.idleAfterMs, []],
  ])('of %s is %i ms', (_, ms, evidence) => {
    expect(neededRestMs(judgedOf(evidence))).toBe(ms);
  });
});

it('the rest of an idle agent is that of its role', () => {
  const evidence = withPieces(idleAgent(), standing({ claims: { role: 'worker' } }));
  const roles = new Map([['worker', { ...POLICY.defaultRole, idleAfterMs: MINUTE }]]);
  const judged = judgedOf(evidence);
  const known = { ...judged, facts: { ...judged.facts, policy: { ...POLICY, roles } } };
  expect([neededRestMs(judged), neededRestMs(known)]).toEqual([POLICY.idleAfterMs, MINUTE]);
  const exited = { ...known, activity: 'exited' } as const;
  expect(neededRestMs(exited)).toBe(POLICY.exitedAfterMs);
});

describe('rested', () => {
  const done = (agoMs: number) => ({ at: NOW.at - agoMs, outcome: 'done', evidence: 'pr 7', blockers: [] });
  it.each([
    ['unmet', 'declared complete 4 min ago: pr 7; kept 6 min more', { completion: done(4 * MINUTE) }],
    ['met', 'declared complete 10 min ago: pr 7; its time is over', { completion: done(10 * MINUTE) }],
    [
      'unmet',
      'kept on request: mine; kept until somebody says otherwise',
      { retained: { at: NOW.at, until: null, reason: 'mine' } },
    ],
    ['met', 'it has rested for 1 h', { completion: { ...done(MINUTE), outcome: 'failed' } }],
  ])('is %s by what was declared: %s', (state, text, over) => {
    const judged = judgedOf(withPieces(idleAgent(), standing(over)), { restMs: HOUR });
    expect(rested(judged)).toEqual({ code: 'rested', state, text });
  });

  it.each([
    ['met', 'it has rested for 45 min', 45 * MINUTE],
    ['met', 'it has rested for 1 h', HOUR],
    ['unmet', 'it has rested for 44 min; 45 min are asked for', 45 * MINUTE - 1],
    ['unmet', 'it has rested for under 1 s; 45 min are asked for', 0],
  ])('is %s: %s', (state, text, restMs) => {
    expect(rested(judgedOf(idleAgent(), { restMs }))).toEqual({ code: 'rested', state, text });
  });

  it('is met by dead panes at once', () => {
    const text = 'all its panes are dead';
    expect(rested(judgedOf(deadPane(), { restMs: 0 }))).toEqual({ code: 'rested', state: 'met', text });
  });
});
