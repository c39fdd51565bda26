import { describe, expect, it } from 'vitest';
import type { GateContract } from '../../../src/core/gate/contract.ts';
import { type DecidedStop, decideStop, evidenceOf, type StopView } from '../../../src/core/gate/decide.ts';
import type { StopReason } from '../../../src/core/gate/decision.ts';
import { HOUR } from '../../support/evidence.ts';
import { digest } from '../ledger/sample-chain.ts';
import { AT, CLEAN, contract, counter, items, owner, result, stop, TESTS, view } from './gate-samples.ts';

const EVIDENCE = evidenceOf('t-1', [result('unmet')], digest);
const decide = (over: Partial<StopView> = {}, which: GateContract = contract()) =>
  decideStop(which, stop(), view(over));
/** Stops one after another, a minute apart, each on another state of the tree. */
function turns(first: GateContract, count: number, over: Partial<StopView> = {}, isContinued = true) {
  const all: DecidedStop[] = [];
  let now = first;
  for (let turn = 0; turn < count; turn += 1) {
    const facts = stop({ isContinued: isContinued && turn > 0, digest: `stop-${turn}` });
    const next = decideStop(now, facts, view({ tree: `t-${turn}`, now: AT + turn * 60_000, ...over }));
    all.push(next);
    now = next.contract;
  }
  return all;
}
const saidIn = (all: readonly DecidedStop[]) => all.map(({ decision }) => decision.reason);

describe('an owner with something missing', () => {
  it('is kept going, told what is missing, and counted', () => {
    const { decision, contract: after, evidence } = decide();
    expect(decision).toEqual({
      verdict: 'blocked',
      reason: 'checks-unmet',
      text: 'one thing is missing',
      missing: ['npm test exits 0: it ended with status 1'],
    });
    expect(evidence).toBe(EVIDENCE);
    expect(after).toMatchObject({
      phase: 'open',
      enforced: {
        used: 1,
        inARow: 1,
        last: { at: AT, evidence: EVIDENCE, stop: 'stop-1' },
        seen: [EVIDENCE],
      },
      shadowed: counter(),
      stale: null,
    });
    expect(after.checks).toEqual([{ check: TESTS, result: result('unmet') }]);
  });

  it('is told everything that is missing, and nothing that holds or cannot be told', () => {
    const three = contract({ checks: items(TESTS, CLEAN, { kind: 'pushed' }, { kind: 'file', path: 'a' }) });
    const results = [result('unmet'), result('met'), result('unknown'), result('unmet', { text: '' })];
    expect(decide({ results }, three).decision).toMatchObject({
      text: '2 things are missing',
      missing: ['npm test exits 0: it ended with status 1', 'a exists'],
    });
  });

  it('is let go by what needs no look at its checks, which writes nothing down of its time', () => {
    const late = contract({ expiresAt: AT - 1 });
    expect(decide({ mode: 'off' }, late)).toMatchObject({ decision: { reason: 'mode-off' }, contract: late });
    expect(decide({}, late)).toMatchObject({
      decision: { reason: 'expired' },
      contract: { phase: 'expired' },
    });
  });

  it('without any check has to declare the work finished, once for each state of the tree', () => {
    const none = contract({ checks: [] });
    const missing = ['the work has not been declared finished: rollcall gate finish'];
    const first = decide({ results: [] }, none);
    expect(first.decision).toMatchObject({ verdict: 'blocked', missing });
    const again = decideStop(
      first.contract,
      stop({ digest: 'stop-2' }),
      view({ results: [], now: AT + HOUR }),
    );
    expect(again.decision).toMatchObject({ verdict: 'approved', reason: 'same-evidence', missing });
    const later = decideStop(
      again.contract,
      stop({ digest: 'stop-3' }),
      view({ results: [], tree: null, now: AT + HOUR }),
    );
    expect(later.decision).toMatchObject({ verdict: 'blocked' });
  });

  it('S53: is kept going as often as was said, and let go then with what is missing', () => {
    const all = turns(contract(), 5);
    expect(saidIn(all)).toEqual([
      'checks-unmet',
      'checks-unmet',
      'checks-unmet',
      'budget-spent',
      'held-by-another',
    ]);
    expect(all[3]?.contract).toMatchObject({
      phase: 'open',
      enforced: { used: 3, inARow: 0 },
      stale: {
        at: AT + 180_000,
        code: 'budget-spent',
        text: 'it was kept going 3 times, as often as it may be; missing: npm test exits 0: it ended with status 1',
      },
    });
  });

  it.each([3, 5, 10] as const)('S53: never more than %i times, also in turns of their own', (reinforce) => {
    const all = turns(contract({ reinforce }), 15, {}, false);
    expect(all.filter(({ decision }) => decision.verdict === 'blocked')).toHaveLength(reinforce);
    expect(all.at(-1)?.decision).toMatchObject({ verdict: 'approved', reason: 'budget-spent' });
  });

  it('S53: is let go where nothing has changed since it was kept going', () => {
    const first = decide().contract;
    const again = decideStop(
      first,
      stop({ isContinued: true, digest: 'stop-2' }),
      view({ now: AT + 60_000 }),
    );
    expect(again.decision).toMatchObject({ verdict: 'approved', reason: 'same-evidence' });
    expect(again.contract).toMatchObject({
      enforced: { used: 1, inARow: 0 },
      stale: {
        code: 'same-evidence',
        text: 'it was kept going for this before, and nothing has changed; missing: npm test exits 0: it ended with status 1',
      },
    });
  });

  it('is let go where what was so comes back, and also by a contract that only knows the last', () => {
    const other = decideStop(decide().contract, stop({ digest: 'b' }), view({ tree: 't-2', now: AT + HOUR }));
    expect(other.decision.verdict).toBe('blocked');
    const back = decideStop(other.contract, stop({ digest: 'c' }), view({ now: AT + 2 * HOUR }));
    expect(back.decision.reason).toBe('same-evidence');
    const old = contract({ enforced: { ...decide().contract.enforced, seen: [] } });
    expect(decide({ now: AT + HOUR }, old).decision.reason).toBe('same-evidence');
  });

  it('is kept going again, and no longer stale, when something has changed', () => {
    const stale = { at: AT - HOUR, code: 'same-evidence', text: '' };
    const enforced = counter({ used: 1, last: { at: AT - HOUR, evidence: 'old', stop: 's' }, seen: ['old'] });
    expect(decide({}, contract({ stale, enforced })).contract).toMatchObject({
      stale: null,
      enforced: { used: 2, inARow: 1, seen: ['old', EVIDENCE] },
    });
  });

  it("S53: is let go before the agent's own cap, counted within one turn", () => {
    const all = turns(contract({ reinforce: 10 }), 4, { cap: 2 });
    expect(saidIn(all).slice(0, 3)).toEqual(['checks-unmet', 'checks-unmet', 'agent-cap']);
    expect(all[2]?.contract).toMatchObject({
      enforced: { used: 2, inARow: 0 },
      stale: { code: 'agent-cap' },
    });
    expect(all[2]?.decision.text).toBe('the agent takes no more than 2 in a row');
    const apart = turns(contract({ reinforce: 10 }), 4, { cap: 2 }, false);
    expect(saidIn(apart)).toEqual(['checks-unmet', 'checks-unmet', 'checks-unmet', 'checks-unmet']);
    expect(saidIn(turns(contract(), 1, { cap: 0 }))).toEqual(['agent-cap']);
  });

  it('S53: is let go where it goes on because of another hook: stop_hook_active without a block of this gate', () => {
    const { decision, contract: after } = decideStop(contract(), stop({ isContinued: true }), view());
    expect(decision).toMatchObject({ verdict: 'approved', reason: 'held-by-another' });
    expect(after).toMatchObject({ enforced: counter(), stale: null });
  });

  it('S53: two hooks on one stop count once, and neither ends the row', () => {
    const first = decide();
    const second = decideStop(first.contract, stop(), view({ now: AT + 999 }));
    expect(second.decision).toMatchObject({ verdict: 'approved', reason: 'same-stop' });
    expect(second.contract.enforced).toEqual(first.contract.enforced);
    expect(second.contract.stale).toBeNull();
    const later = decideStop(first.contract, stop(), view({ now: AT + 1000 }));
    expect(later.decision.reason).toBe('same-evidence');
  });
});

describe('an owner with nothing missing', () => {
  it('stops, and its work is finished', () => {
    const stale = { at: AT - HOUR, code: 'budget-spent', text: '' };
    const enforced = counter({ used: 2, inARow: 2 });
    const { decision, contract: after } = decide({ results: [result('met')] }, contract({ stale, enforced }));
    expect(decision).toMatchObject({ verdict: 'approved', reason: 'checks-met', missing: [] });
    expect(after).toMatchObject({
      phase: 'finished',
      ended: { at: AT, text: 'its checks were met at a stop' },
      stale: null,
      enforced: { used: 2, inARow: 0 },
    });
  });

  it('S53: stops where something cannot be told, and nothing is finished by that', () => {
    const two = contract({ checks: items(TESTS, CLEAN), enforced: counter({ used: 1, inARow: 1 }) });
    for (const results of [[result('met'), result('unknown')], [result('met')], [result('met'), undefined]]) {
      const { decision, contract: after } = decide({ results }, two);
      expect(decision).toMatchObject({
        verdict: 'approved',
        reason: 'checks-unknown',
        text: 'nothing is known to be missing; of 2 checks 1 cannot be told',
      });
      expect(after).toMatchObject({ phase: 'open', stale: null, enforced: { used: 1, inARow: 0 } });
    }
  });

  it('keeps what was last known of a check that nobody looked at', () => {
    const known = contract({ checks: [{ check: TESTS, result: result('unmet') }] });
    const { contract: after, decision } = decide({ results: [] }, known);
    expect(decision.reason).toBe('checks-unknown');
    expect(after.checks[0]?.result).toEqual(result('unmet'));
  });
});

describe('shadow', () => {
  const shadow = (over: Partial<StopView> = {}) => view({ mode: 'shadow', ...over });

  it('says what enforce would have done, spends a budget of its own and makes nothing stale', () => {
    const enforced = counter({ used: 2, inARow: 2, seen: ['x', 'y'] });
    const { decision, contract: after } = decideStop(contract({ enforced }), stop(), shadow());
    expect(decision).toMatchObject({ verdict: 'would-block', reason: 'checks-unmet' });
    expect(after.enforced).toEqual({ ...enforced, inARow: 0 });
    expect(after.shadowed).toMatchObject({ used: 1, last: { evidence: EVIDENCE } });
    expect(saidIn(turns(contract(), 5, { mode: 'shadow' }))).toEqual([
      ...['checks-unmet', 'checks-unmet', 'checks-unmet', 'budget-spent', 'budget-spent'],
    ]);
    expect(turns(contract(), 5, { mode: 'shadow' }).at(-1)?.contract.stale).toBeNull();
  });

  it('asks neither for a cap nor who keeps the agent going: in shadow it stops each time', () => {
    const all = turns(contract(), 3, { mode: 'shadow', cap: 1 });
    expect(saidIn(all)).toEqual(['checks-unmet', 'checks-unmet', 'checks-unmet']);
  });

  it('finishes work whose checks are met', () => {
    expect(decideStop(contract(), stop(), shadow({ results: [result('met')] })).contract.phase).toBe(
      'finished',
    );
  });
});

describe('what is known before any check', () => {
  it.each<[string, StopReason, Partial<StopView>, Partial<GateContract>]>([
    ['S53: switched off', 'switched-off', { switch: { at: AT, reason: 'now' } }, {}],
    ['S53: mode off', 'mode-off', { mode: 'off' }, {}],
    ['S53: ended', 'ended', {}, { phase: 'finished' }],
    ['S53: unstamped', 'unstamped', {}, { owner: owner({ conversation: '' }) }],
  ])('%s: approves, and the contract stays as it is', (_, reason, over, has) => {
    const which = contract({ ...has, enforced: counter({ used: 1, inARow: 1 }) });
    const decided = decide(over, which);
    expect(decided).toMatchObject({ decision: { verdict: 'approved', reason }, evidence: null });
    expect(decided.contract).toBe(which);
  });

  it('S53: expired: approves, and the contract is marked so', () => {
    const { decision, contract: after } = decide({}, contract({ expiresAt: AT }));
    expect(decision).toMatchObject({ verdict: 'approved', reason: 'expired' });
    expect(after).toMatchObject({ phase: 'expired', ended: { at: AT }, enforced: counter() });
  });
});

describe('evidence', () => {
  it('is the tree and what is not met, and neither times nor words', () => {
    const same = [result('unmet', { text: 'other words', at: 7, tree: null }), undefined, result('met')];
    expect(evidenceOf('t-1', same, digest)).toBe(EVIDENCE);
    expect(evidenceOf(null, [], digest)).toBe(evidenceOf('', [result('unknown')], digest));
  });

  it.each<[string, string | null, ReturnType<typeof result>[]]>([
    ['the tree', 't-2', [result('unmet')]],
    ['a tree that is not known', null, [result('unmet')]],
    ['a mark', 't-1', [result('unmet', { mark: '2' })]],
    ['which check', 't-1', [result('met'), result('unmet')]],
    ['one that is met now', 't-1', [result('met')]],
    ['one that cannot be told now', 't-1', [result('unknown')]],
  ])('changes with %s', (_, tree, results) => {
    expect(evidenceOf(tree, results, digest)).not.toBe(EVIDENCE);
  });
});
