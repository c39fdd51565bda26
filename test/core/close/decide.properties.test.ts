import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CloseWish, decideClose } from '../../../src/core/close/decide.ts';
import { isResumable } from '../../../src/core/reaper/relief.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import type { Activity } from '../../../src/core/verdict/verdict.ts';
import { evidence } from '../arbitrary-evidence.ts';
import { entry } from './entry.ts';

const RUNS = { numRuns: 1500 };

const session = evidence.map((list) => entry(list));
const despite = fc.subarray(['attached', 'recent-input', 'human-managed', 'held', 'retained', 'own-session']);
const automatic: fc.Arbitrary<CloseWish> = fc.record({
  ...{ isForced: fc.constant(false), despite: fc.constant([]), isAutomatic: fc.constant(true) },
  isUnderPressure: fc.boolean(),
});
const PERSONS: CloseWish = { isForced: false, despite: [], isAutomatic: false };

// Word for word what automatic closing asked for before a person's wish was told apart from it, and before agents slept.
function mayGoByItself(
  { activity, lifecycle, blockers, protections, panes, evidence: seen }: SessionEntry,
  { isUnderPressure }: CloseWish,
): boolean {
  if (panes.length === 0 || protections.length > 0) return false;
  if (lifecycle === 'safe-to-close') return true;
  const isProven = blockers.every(({ code }) => code === 'rested' || code === 'work-saved');
  const isIdle = activity === 'idle' && (lifecycle === 'active' || lifecycle === 'stale');
  const isAwake = seen.every((one) => one.kind !== 'pane' || one.asleep === undefined);
  return isUnderPressure === true && isIdle && isProven && isAwake && isResumable({ panes, evidence: seen });
}

describe('number 4: whatever the evidence', () => {
  it('an automatic wish goes where it went before, and nowhere else; a person’s goes there too', () => {
    let gone = 0;
    fc.assert(
      fc.property(session, automatic, (found, wish) => {
        const decision = decideClose(found, wish);
        if (found.lifecycle === 'closing') return;
        expect(decision.state).toBe(mayGoByItself(found, wish) ? 'go' : 'refused');
        if (decision.state !== 'go') return;
        gone += 1;
        expect(decideClose(found, PERSONS).state).toBe('go');
        if (found.lifecycle !== 'safe-to-close') return;
        expect(found.checks.filter(({ state }) => state !== 'met')).toEqual([]);
        expect(decision.waived).toEqual([]);
      }),
      RUNS,
    );
    expect(gone).toBeGreaterThan(20);
  });

  it('a person’s wish goes only where nothing would be lost, waits only to be confirmed, and names all that is unfinished', () => {
    const calm: readonly Activity[] = ['idle', 'asleep', 'exited'];
    let unfinished = 0;
    fc.assert(
      fc.property(session, despite, (found, set) => {
        const decision = decideClose(found, { ...PERSONS, despite: set });
        if (decision.state !== 'go' && decision.state !== 'not-yet') return;
        const losses = found.blockers.filter(({ kind }) => kind === 'would-lose');
        expect(losses.map(({ code }) => code)).toEqual(decision.state === 'go' ? [] : ['confirmed']);
        expect(found.lifecycle).not.toBe('unknown');
        expect(calm).toContain(found.activity);
        const noted = found.blockers.filter(({ kind }) => kind === 'unfinished');
        expect(decision.waived).toEqual(expect.arrayContaining(noted));
        const left = found.protections.map(({ code }) => code).filter((code) => !set.includes(code));
        expect(['retained', 'not-managed']).toEqual(expect.arrayContaining(left));
        if (left.includes('retained')) expect(decision.waived.map(({ code }) => code)).toContain('retained');
        if (noted.length > 0) unfinished += 1;
      }),
      RUNS,
    );
    expect(unfinished).toBeGreaterThan(20);
  });
});
