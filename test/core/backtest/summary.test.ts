import { describe, expect, test } from 'vitest';
import type { Aftermath } from '../../../src/core/backtest/aftermath.ts';
import type { BacktestClose, WithAftermath } from '../../../src/core/backtest/result.ts';
import { summaryOf } from '../../../src/core/backtest/summary.ts';

const WORDS = { bytes: (amount: number) => `${amount} B`, duration: (ms: number) => `${ms} ms` };
const went: Aftermath = { kind: 'went-unused', afterMs: 5, by: 'others' };
const still: Aftermath = { kind: 'still-there', watchedMs: 5 };
const unseen: Aftermath = { kind: 'went-unseen', watchedMs: 5 };
const used = (afterMs: number): Aftermath => ({ kind: 'used-again', afterMs, how: 'turn' });

function said(...aftermaths: readonly Aftermath[]): string {
  const closes = aftermaths.map(
    (aftermath, index): WithAftermath<BacktestClose> => ({
      ...{ key: `k${index}`, name: 'a', server: 'default', at: 0, tier: 'critical', relief: 'long-idle' },
      ...{ text: '', memoryBytes: index === 0 ? null : 10, lent: [], aftermath },
    }),
  );
  return summaryOf(closes, WORDS).text;
}

describe('the summary of a backtest', () => {
  test('says how many were used again, so that somebody can judge', () => {
    expect(said()).toBe('would have closed nothing');
    expect(said(went)).toBe('would have closed 1 session, 0 B; 1 never used again');
    expect(said(went, went, used(7))).toBe(
      'would have closed 3 sessions, 20 B; 2 never used again, 1 used again after 7 ms',
    );
    expect(said(used(9), used(7))).toBe(
      'would have closed 2 sessions, 10 B; 2 used again, the first after 7 ms',
    );
  });

  test('says what the record does not tell', () => {
    expect(said(still)).toContain('1 never used again up to the end of the record');
    expect(said(still, went)).toContain('2 never used again (1 of them still there at its end)');
    expect(said(unseen)).toContain('1 went while nobody looked');
  });
});
