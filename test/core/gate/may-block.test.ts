import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideStop, mayBlock } from '../../../src/core/gate/decide.ts';
import { GATE_MODES } from '../../../src/core/gate/mode.ts';
import { contract, counter, result, stop, view } from './gate-samples.ts';

it('says no only where no result of the checks would block', () => {
  const some = fc.record({
    mode: fc.constantFrom(...GATE_MODES),
    used: fc.nat(4),
    inARow: fc.nat(4),
    isContinued: fc.boolean(),
    cap: fc.constantFrom(null, 0, 1, 3),
    state: fc.constantFrom('met', 'unmet', 'unknown'),
  });
  let blocked = 0;
  fc.assert(
    fc.property(some, ({ mode, used, inARow, isContinued, cap, state }) => {
      const asked = contract({ enforced: counter({ used, inARow }), reinforce: 3 });
      const facts = stop({ isContinued });
      const { decision } = decideStop(asked, facts, view({ mode, cap, results: [result(state)] }));
      if (decision.verdict === 'blocked') blocked += 1;
      // With something missing on new evidence it is exactly what decides.
      if (state === 'unmet')
        expect(decision.verdict === 'blocked').toBe(mayBlock(asked, facts, { mode, cap }));
      else expect(decision.verdict).toBe('approved');
    }),
    { numRuns: 500 },
  );
  expect(blocked).toBeGreaterThan(0);
});

it('keeps an agent going in a row as often as that agent allows, and no more', () => {
  const row = (inARow: number) => contract({ enforced: counter({ used: 1, inARow }), reinforce: 3 });
  const may = (inARow: number) => mayBlock(row(inARow), { isContinued: true }, { mode: 'enforce', cap: 3 });
  expect([may(0), may(1), may(2), may(3)]).toEqual([false, true, true, false]);
});
