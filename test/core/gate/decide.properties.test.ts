import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REINFORCE, type Reinforce } from '../../../src/core/gate/check.ts';
import type { GateContract } from '../../../src/core/gate/contract.ts';
import { type DecidedStop, decideStop } from '../../../src/core/gate/decide.ts';
import { GATE_MODES, type GateMode } from '../../../src/core/gate/mode.ts';
import { proveOwner } from '../../../src/core/gate/ownership.ts';
import { HOUR } from '../../support/evidence.ts';
import { AT, CLEAN, contract, items, OTHER, origin, result, stop, TESTS, view } from './gate-samples.ts';

interface Step {
  readonly who:
    | 'owner'
    | 'another pane'
    | 'another conversation'
    | 'a subagent'
    | 'a nested agent'
    | 'nobody';
  readonly mode: GateMode;
  readonly isOff: boolean;
  readonly states: readonly ('met' | 'unmet' | 'unknown')[];
  readonly mark: string;
  readonly tree: string | null;
  readonly isContinued: boolean;
  readonly digest: string;
  readonly laterMs: number;
  readonly cap: number | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom(
    ...(['owner', 'owner', 'owner', 'owner', 'owner', 'owner', 'owner'] as const),
    ...(['another pane', 'another conversation'] as const),
    ...(['a subagent', 'a nested agent', 'nobody'] as const),
  ),
  mode: fc.constantFrom('enforce', 'enforce', 'enforce', ...GATE_MODES),
  isOff: fc.constantFrom(false, false, false, false, true),
  states: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(['unmet', 'unmet'] as const, ['unmet', 'met'] as const) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom('unmet', 'met', 'unknown'), { maxLength: 2 }) },
  ),
  mark: fc.constantFrom('1', '2'),
  tree: fc.option(
    fc.nat({ max: 12 }).map((number) => `t-${number}`),
    { freq: 9 },
  ),
  isContinued: fc.constantFrom(false, false, true),
  digest: fc.constantFrom('a', 'b', 'c'),
  laterMs: fc.constantFrom(0, 500, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000, HOUR / 2, -60_000),
  cap: fc.constantFrom(null, null, null, 2, 8, 0),
});
const steps = fc.array(step, { maxLength: 40, size: 'max' });
const begun: fc.Arbitrary<GateContract> = fc
  .record({
    reinforce: fc.constantFrom(...REINFORCE.map((word) => Number(word) as Reinforce)),
    checks: fc.constantFrom(items(TESTS, CLEAN), items(TESTS), items()),
  })
  .map(contract);

interface Taken {
  readonly step: Step;
  readonly now: number;
  readonly before: GateContract;
  readonly after: GateContract;
  /** Null where the stop was not the owner's: nothing is decided then. */
  readonly decided: DecidedStop | null;
}

/** What a gate makes of stops one after another. */
function follow(first: GateContract, all: readonly Step[]): Taken[] {
  const taken: Taken[] = [];
  let [now, current] = [AT, first];
  for (const one of all) {
    now += one.laterMs;
    const decided = decideAbout(current, one, now);
    const after = decided?.contract ?? current;
    taken.push({ step: one, now, before: current, after, decided });
    current = after;
  }
  return taken;
}

function decideAbout(current: GateContract, one: Step, now: number): DecidedStop | null {
  const { mode, isOff, tree, cap, isContinued, digest, who } = one;
  const facts = stop({
    ...{ isContinued, digest, isSubagent: who === 'a subagent' },
    conversation: who === 'nobody' ? null : who === 'another conversation' ? 'c-2' : 'c-1',
  });
  const where = origin({
    ...(who === 'another pane' && { paneId: '%2' }),
    ...(who === 'a nested agent' && { agent: { ...OTHER, argv: ['claude', '-p'] } }),
  });
  const owned = proveOwner(current.owner, facts, where, {
    ...{ hasDaemon: false, resumes: () => null, isOwnHook: () => true },
  });
  if (owned.state === 'not') return null;
  const results = one.states.map((state) => result(state, { mark: one.mark }));
  const off = isOff ? { at: now, reason: null } : null;
  return decideStop(
    { ...current, owner: owned.owner },
    facts,
    view({ mode, switch: off, now, results, tree, cap }),
  );
}

const blocksIn = (taken: readonly Taken[], verdict = 'blocked') =>
  taken.filter(({ decided }) => decided?.decision.verdict === verdict);

describe('S53: whatever the sequence of stops', () => {
  it('nobody is kept going more often than was said, and never twice on the same evidence', () => {
    let [blocked, spent, same] = [0, 0, 0];
    fc.assert(
      fc.property(begun, steps, (first, all) => {
        const taken = follow(first, all);
        for (const verdict of ['blocked', 'would-block']) {
          const blocks = blocksIn(taken, verdict);
          expect(blocks.length).toBeLessThanOrEqual(first.reinforce);
          const evidence = blocks.map(({ decided }) => decided?.evidence);
          expect(new Set(evidence).size).toBe(evidence.length);
          blocked += blocks.length;
        }
        spent += taken.filter(({ decided }) => decided?.decision.reason === 'budget-spent').length;
        same += taken.filter(({ decided }) => decided?.decision.reason === 'same-evidence').length;
      }),
      { numRuns: 600 },
    );
    expect(Math.min(blocked, spent, same)).toBeGreaterThan(30);
  });

  it('somebody else changes nothing, and each mode spends its own', () => {
    fc.assert(
      fc.property(begun, steps, (first, all) => {
        for (const { step: one, before, after, decided } of follow(first, all)) {
          if (one.who !== 'owner') expect(after).toBe(before);
          if (one.isOff || one.mode === 'off') expect(decided?.evidence ?? null).toBeNull();
          if (one.mode !== 'shadow') expect(after.shadowed).toBe(before.shadowed);
          if (one.mode !== 'enforce') expect(after.enforced.used).toBe(before.enforced.used);
          expect(after.enforced.used - before.enforced.used).toBe(
            decided?.decision.verdict === 'blocked' ? 1 : 0,
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('only an open contract in enforce blocks, only for what is known to be missing, within its time and the cap', () => {
    fc.assert(
      fc.property(begun, steps, (first, all) => {
        const taken = follow(first, all);
        for (const { step: one, before, now, decided } of blocksIn(taken)) {
          expect([one.mode, one.isOff, before.phase]).toEqual(['enforce', false, 'open']);
          expect(now).toBeLessThan(before.expiresAt);
          expect(decided?.decision.missing.length).toBeGreaterThan(0);
          if (before.checks.length > 0) expect(one.states.slice(0, before.checks.length)).toContain('unmet');
          if (one.cap !== null) expect(decided?.contract.enforced.inARow).toBeLessThanOrEqual(one.cap);
        }
        const ended = taken.findIndex(({ after }) => after.phase !== 'open');
        if (ended >= 0) expect(blocksIn(taken.slice(ended + 1))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('who was let go with something missing is stale until it is kept going again or finishes', () => {
    fc.assert(
      fc.property(begun, steps, (first, all) => {
        for (const { before, after, decided } of follow(first, all)) {
          const { verdict, reason } = decided?.decision ?? {};
          const isLetGo = ['same-evidence', 'budget-spent', 'agent-cap'].includes(String(reason));
          if (after.stale !== before.stale && after.stale !== null) expect(isLetGo).toBe(true);
          if (verdict === 'blocked' || reason === 'checks-met') expect(after.stale).toBeNull();
        }
      }),
      { numRuns: 200 },
    );
  });
});
