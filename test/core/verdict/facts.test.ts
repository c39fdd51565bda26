import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/core/verdict/evidence.ts';
import { gatherFacts } from '../../../src/core/verdict/facts.ts';
import {
  client,
  clock,
  idleAgent,
  massDeath,
  NOW,
  note,
  onPane,
  POLICY,
  pane,
  people,
  processes,
  shell,
  standing,
  unavailable,
} from '../../support/evidence.ts';
import { factsOf, paneFactsOf } from '../judged.ts';

describe('facts', () => {
  it('hold one piece of each kind for each pane, in the order of pane numbers', () => {
    const evidence = [...onPane('%10', idleAgent()), ...onPane('%9', idleAgent()), massDeath()];
    const facts = factsOf(evidence);
    expect(facts.panes.map((one) => one.paneId)).toEqual(['%9', '%10']);
    expect(Object.keys(facts.panes[0] ?? {}).sort()).toEqual([
      'agent',
      'git',
      'history',
      'isContradictory',
      'pane',
      'paneId',
      'processes',
      'screen',
      'unavailable',
      'word',
    ]);
    expect(facts).toMatchObject({
      people: people(),
      clock: clock(),
      standing: standing(),
      massDeath: massDeath(),
    });
  });

  it('of nothing are empty', () => {
    expect(factsOf([])).toEqual({ panes: [], unavailable: [], now: NOW, policy: POLICY });
  });

  it.each([
    ['just now', 0, true],
    ['as old as may be', POLICY.freshMs, true],
    ['too old', POLICY.freshMs + 1, false],
    ['within the grain of the clock', -1000, true],
    ['from the future', -1001, false],
    ['from no time at all', Number.NaN, false],
  ])('count evidence that is %s: %#', (_, ageMs, isKept) => {
    const facts = gatherFacts([pane({ observedAt: NOW.at - ageMs })], NOW, POLICY);
    expect(facts.panes.length === 1).toBe(isKept);
  });

  it('take the newest piece, without calling the older one a contradiction', () => {
    const facts = paneFactsOf([processes([]), processes([shell()], { observedAt: NOW.at - 1 })]);
    expect(facts.processes?.processes).toEqual([]);
    expect(facts.isContradictory).toBe(false);
  });

  it('take duplicates for one', () => {
    expect(paneFactsOf([pane(), pane()]).isContradictory).toBe(false);
  });

  it.each<[string, Evidence[]]>([
    ['on the pane', [pane(), pane({ isDead: true })]],
    ['on its processes', [pane(), processes([shell()]), processes([shell(), note()])]],
    ['on who is attached', [pane(), people(), people({ clients: [client()] })]],
    ['on how the session stands', [pane(), standing(), standing({ isOwnSession: true })]],
    ['on the clock', [pane(), clock(), clock({ suspendedMs: 1 })]],
  ])('show two pieces of one moment that differ %s as a contradiction, in any order', (_, evidence) => {
    expect(paneFactsOf(evidence).isContradictory).toBe(true);
    expect(factsOf(evidence)).toEqual(factsOf(evidence.toReversed()));
  });

  it('hand a failure to the pane it concerns, and one of the whole session to all panes', () => {
    const [whole, one] = [unavailable('people'), unavailable('screen', { paneId: '%2' })];
    const facts = factsOf([pane(), ...onPane('%2', [pane()]), whole, one, whole]);
    expect(facts.unavailable).toEqual([whole, whole, one]);
    expect(facts.panes.map((each) => each.unavailable)).toEqual([
      [whole, whole],
      [whole, whole, one],
    ]);
  });

  it('know a pane that only a failure speaks of', () => {
    expect(factsOf([unavailable('screen', { paneId: '%7' })]).panes.map((one) => one.paneId)).toEqual(['%7']);
  });
});
