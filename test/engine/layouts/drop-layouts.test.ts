import { describe, expect, it } from 'vitest';
import type { Folded, SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import { dropLayouts } from '../../../src/engine/layouts/keep-layouts.ts';

const DAY = 86_400_000;
const NOW = 1000 * DAY;
const since = { at: 1, sequence: 1 };
const closed = { ...since, receipt: 'r' };
const facts = (key: string, over: Partial<SessionFacts> = {}) =>
  ({ key, closed: null, reopened: null, ...over }) as SessionFacts;

/** The keys that are left. */
function left(
  kept: Readonly<Record<string, number>>,
  known: readonly SessionFacts[],
  over: Partial<Folded> = {},
) {
  const files = new Map(Object.entries(kept).map(([key, ageDays]) => [key, NOW - ageDays * DAY]));
  const layouts = {
    of: () => ({ state: 'absent' }) as const,
    keep: () => {},
    all: () => [...files].map(([key, keptAt]) => ({ key, keptAt })),
    drop: (key: string) => void files.delete(key),
  };
  const folded = { facts: new Map(known.map((one) => [one.key, one])), loss: null, ...over } as Folded;
  dropLayouts({ layouts, now: () => NOW }, folded);
  return [...files.keys()];
}

describe('layouts are let go of', () => {
  it('with a receipt, and however old they are not before: a clock may be wrong', () => {
    const known = [facts('a'), facts('b', { closed }), facts('c')];
    expect(left({ a: 0, b: 0, c: 91 }, known)).toEqual(['a', 'c']);
  });

  it('once the session that took its place was seen, or needs none', () => {
    const next = (key: string) => ({ reopened: { ...since, key } });
    expect(left({ a: 0 }, [facts('a', next('b')), facts('b')])).toEqual(['a']);
    expect(left({ a: 0, b: 0 }, [facts('a', next('b')), facts('b')])).toEqual(['b']);
    expect(left({ a: 0 }, [facts('a', next('b')), facts('b', { closed })])).toEqual([]);
    expect(left({ a: 0 }, [facts('a', next('b'))])).toEqual([]);
    const chain = [facts('a', next('b')), facts('b', next('c')), facts('c')];
    expect([left({ a: 0 }, chain), left({ a: 0, c: 0 }, chain)]).toEqual([['a'], ['c']]);
  });

  it('after a day where nobody knows their session, unless the ledger has lost entries', () => {
    expect(left({ a: 0, b: 2 }, [])).toEqual(['a']);
    expect(left({ b: 2 }, [], { loss: { ...since } as Folded['loss'] })).toEqual(['b']);
  });

  it('beyond a thousand, the oldest first', () => {
    const keys = Array.from({ length: 1003 }, (_, at) => `k${at}`);
    const kept = Object.fromEntries(keys.map((key, at) => [key, at / 100]));
    expect(
      left(
        kept,
        keys.map((key) => facts(key)),
      ),
    ).toEqual(keys.slice(0, 1000));
  });
});
