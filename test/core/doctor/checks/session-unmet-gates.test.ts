import { expect, it } from 'vitest';
import { unmetGates } from '../../../../src/core/doctor/checks/session-unmet-gates.ts';
import type { SessionEntry } from '../../../../src/core/sight/roll.ts';
import type { DeclaredGate } from '../../../../src/core/verdict/declared.ts';
import { clock, HOUR, MINUTE, NOW, standing } from '../../../support/evidence.ts';
import { doctorFacts, entry, found, keyOf } from './doctor-facts.ts';

const GATE: DeclaredGate = {
  ...{ at: NOW.at - MINUTE, id: '0a1b2c3d', task: 'fix 12', expiresAt: NOW.at + HOUR },
  ...{ missing: [], stale: null },
};

const told = (gate: Partial<DeclaredGate>, over: Partial<SessionEntry> = {}) =>
  found(
    unmetGates,
    doctorFacts({
      sessions: [entry({ evidence: [clock(), standing({ gates: [{ ...GATE, ...gate }] })], ...over })],
    }),
  );

it.each(['starting', 'working', 'waiting', 'unknown'] as const)(
  '10: an unmet gate is told while its session is %s',
  (activity) => {
    const [finding] = told({}, { activity });
    expect(finding).toMatchObject({ class: 'unmet', severity: 'info', session: keyOf(1) });
    expect(finding?.text).toBe('build (main): its work is not finished (fix 12); it is being worked on');
  },
);

it.each(['idle', 'exited', 'none'] as const)('10: it is a warning where the session is %s', (activity) => {
  const [finding] = told({ missing: ['npm test failed', 'a.txt is missing'], task: null }, { activity });
  expect(finding).toMatchObject({ class: 'unmet', severity: 'warning' });
  expect(finding?.text).toBe('build (main): npm test failed; a.txt is missing; no agent works on it');
  expect(finding?.evidence[0]).toBe('gate 0a1b2c3d');
  expect(finding?.advice).toEqual([
    'see what is missing now: rollcall gate status build --run',
    'if it is not wanted any more: rollcall gate abandon 0a1b2c3d',
  ]);
});

it('10: it is a warning where its agent was let go, or its session is lost', () => {
  const stale = { at: NOW.at - MINUTE, code: 'used-up', text: 'it was kept going 3 times' };
  const [letGo] = told({ stale }, { activity: 'working' });
  expect(letGo).toMatchObject({ class: 'let-go', severity: 'warning' });
  expect(letGo?.text).toContain('its agent was let go 1 min ago');
  expect(letGo?.evidence).toContain('it was kept going 3 times');
  const [lost] = told({ stale }, { lifecycle: 'lost', activity: 'unknown' });
  expect(lost).toMatchObject({ class: 'owner-lost', severity: 'warning' });
});

it('10: one whose time is over is not told, and nothing where there is none', () => {
  expect(told({ at: NOW.at - 2 * HOUR, expiresAt: NOW.at - HOUR })).toEqual([]);
  expect(found(unmetGates, doctorFacts({ sessions: [entry()] }))).toEqual([]);
  const early = { ...GATE, missing: [] };
  const without = [standing({ gates: [early] })];
  expect(found(unmetGates, doctorFacts({ sessions: [entry({ evidence: without })] }))).toHaveLength(1);
});
