import { describe, expect, it } from 'vitest';
import { neededRestMs, rested } from '../../../src/core/checks/rested.ts';
import {
  deadPane,
  exitedAgent,
  HOUR,
  idleAgent,
  MINUTE,
  onPane,
  POLICY,
  plainShell,
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

describe('rested', () => {
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
