import { describe, expect, it } from 'vitest';
import { keptBy } from '../../../src/core/close/guard.ts';
import { currentFacts, type SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { chained, KEY } from '../ledger/sample-chain.ts';

type Said = readonly [action: string, body?: JsonObject];

const facts = (...said: readonly Said[]) =>
  currentFacts(
    chained(
      said.map(([action, body = {}]) => ({
        ...{ kind: 'declared' as const, action, session: { key: KEY, name: 'build' }, body },
      })),
    ),
  ).get(KEY) as SessionFacts;

const at = (ms: number) => ({ at: ms, awakeMs: ms, suspendedMs: 0 });
const waiving = (...codes: string[]) => ({ waived: new Set(codes) });
const GATE: Said = ['gate-start', { gate: 'g1', expiresAt: 9_000_000, owner: { paneId: '%1' } }];
const MORE: Said = ['gate-start', { gate: 'g2', expiresAt: 9_000_000, owner: { paneId: '%2' } }];
const DONE: Said = ['complete', { outcome: 'done' }];

describe('what is declared keeps a session', () => {
  it('that is held or kept on purpose, unless that was set aside', () => {
    const held = facts(['hold']);
    expect(keptBy(undefined, waiving(), at(1))).toBeNull();
    expect(keptBy(held, waiving(), at(1))).toBe('it is held');
    expect(keptBy(facts(['hold', { reason: 'mine' }]), waiving(), at(1))).toBe('it is held: mine');
    expect(keptBy(held, waiving('held'), at(1))).toBeNull();
    const kept = facts(['retain', { until: 5 }]);
    expect(keptBy(kept, waiving(), at(1))).toBe('it is kept on purpose');
    expect([keptBy(kept, waiving('retained'), at(1)), keptBy(kept, waiving(), at(5))]).toEqual([null, null]);
  });

  it('that was closed already, whatever was set aside', () => {
    const closed = { ...facts(['hold']), closed: { at: 1, sequence: 1, receipt: 'r1' } };
    expect(keptBy(closed, waiving('held'), at(1))).toContain('r1');
  });

  it('whose completion was taken back, where only that lets it go', () => {
    const footing = { ...waiving(), isByCompletion: true };
    expect(keptBy(facts(DONE), footing, at(1))).toBeNull();
    for (const one of [
      undefined,
      facts(DONE, ['cancel']),
      facts(DONE, ['complete', { outcome: 'failed' }]),
    ]) {
      expect(keptBy(one, footing, at(1))).toBe('its completion was taken back');
    }
  });

  it('of which work was asked since the decision, whoever closes it', () => {
    expect(keptBy(facts(GATE), { ...waiving(), declared: facts(GATE) }, at(1))).toBeNull();
    const both = facts(GATE, MORE);
    expect(keptBy(both, { ...waiving(), declared: both }, at(1))).toBeNull();
    expect(keptBy(both, { ...waiving(), declared: facts(GATE) }, at(1))).toContain('gate start');
    for (const declared of [undefined, facts(DONE)]) {
      expect(keptBy(facts(DONE, GATE), { ...waiving(), declared }, at(1))).toContain('gate start');
    }
  });
});

describe('an automatic close', () => {
  const before: Said[] = [['run', {}], DONE];
  const footing = { ...waiving('retained'), isAutomatic: true, declared: facts(...before) };

  it.each<[string, Said]>([
    ['its role', ['claim', { claims: { role: 'keeper' } }]],
    ['that rollcall cares for it', ['adopt', {}]],
    ['another completion', ['complete', { outcome: 'done', evidence: ['more'] }]],
    ['how long it is kept', ['retain', { until: 5 }]],
  ])('is stopped by news: %s; a person is not', (what, said) => {
    const now = facts(...before, said);
    expect(keptBy(now, footing, at(1))).toBe(`${what} was declared since this close was decided`);
    expect(keptBy(now, { ...footing, isAutomatic: false }, at(1))).toBeNull();
  });

  it('is not stopped by what was known, nor by how its program ends', () => {
    expect(keptBy(facts(...before), footing, at(1))).toBeNull();
    expect(
      keptBy(facts(...before, ['end', { run: 'r', exitStatus: 0, endedAt: 1 }]), footing, at(1)),
    ).toBeNull();
    const nothing = { ...waiving(), isAutomatic: true, declared: undefined };
    expect(keptBy(facts(['claim', {}]), nothing, at(1))).toBeNull();
    expect(keptBy(facts(['claim', { claims: { role: 'w' } }]), nothing, at(1))).toContain('its role');
  });
});
