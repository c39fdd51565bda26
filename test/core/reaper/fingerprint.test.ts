import { describe, expect, it } from 'vitest';
import { deepFingerprintOf, fingerprintOf } from '../../../src/core/reaper/fingerprint.ts';
import {
  agent,
  client,
  clock,
  git,
  history,
  idleAgent,
  massDeath,
  NOW,
  named,
  note,
  pane,
  people,
  processes,
  screen,
  shell,
  sign,
  standing,
  unavailable,
  withPieces,
  word,
} from '../../support/evidence.ts';
import { session } from './rounds.ts';

const of = (...pieces: Parameters<typeof withPieces>[1][]) =>
  fingerprintOf(session('a', withPieces(idleAgent(), ...pieces)), 's');
const SAME = of();

describe('the fingerprint of a session', () => {
  it.each([
    ['another screen', fingerprintOf(session('a', idleAgent()), 't')],
    ['another name', fingerprintOf(session('a', idleAgent(), { name: 'b' }), 's')],
    ['output', of(pane({ isFullScreen: true, lastOutputAt: NOW.at - 1000 }))],
    ['copy mode', of(pane({ isFullScreen: true, isInMode: true }))],
    ['another child', of(processes([shell(), agent(), note({ pid: 9 })]))],
    ['a process that was replaced', of(processes([shell(), agent({ startTicks: 77 })]))],
    ['a person', of(people({ clients: [client()] }))],
    ['a person who was there', of(people({ lastAttachedAt: 5 }))],
    ['something declared', of(standing({ held: { at: 1, reason: null } }))],
    ['another conversation', of(named({ conversation: 'c-2' }))],
    ['a later record', of(word({ since: 7 }))],
    ['a draft', of(word({ hasDraft: true }))],
    ['a sensor that fails', of(unavailable('people'))],
    ['a mass death', of(massDeath())],
  ])('changes with %s', (_, changed) => {
    expect(changed).not.toBe(SAME);
  });

  it.each([
    ['ages', of(history({ agentSeen: 'claude', quietMs: 5, observations: 1 }), clock({ suspendedMs: 9 }))],
    ['CPU and sizes', of(processes([shell({ memoryBytes: 5 }), agent({ cpuPercent: 3 })]))],
    ['the time of the look', of(standing({ observedAt: NOW.at - 5 }), word({ observedAt: NOW.at - 5 }))],
    ['what only some looks ask', of(git({ dirtyFiles: 5 }), screen({ tail: ['x'] }), unavailable('git'))],
    ['a sign read on the screen', fingerprintOf(withSign(), 's')],
  ])('does not change with %s', (_, same) => {
    expect(same).toBe(SAME);
  });

  it('does not change with the order of evidence', () => {
    expect(fingerprintOf(session('a', idleAgent().toReversed()), 's')).toBe(SAME);
  });

  it('has git in it where two thorough looks are compared', () => {
    const deep = (...pieces: Parameters<typeof withPieces>[1][]) =>
      deepFingerprintOf(session('a', withPieces(idleAgent(), ...pieces)), 's');
    expect(deep(git({ dirtyFiles: 5 }))).not.toBe(deep());
    expect(deep(git({ observedAt: 5 }))).toBe(deep());
  });
});

function withSign() {
  return session('a', [...idleAgent(), sign({ source: 'screen', turn: 'over' })]);
}
