import { describe, expect, it } from 'vitest';
import { foldFacts, UNFOLDED } from '../../../src/core/ledger/current-facts.ts';
import { entriesAbout } from '../../../src/core/ledger/entries-about.ts';
import { chained, KEY } from './sample-chain.ts';

const OTHER = 'abcdef01.12345678.900.1234.s4.1700000009';
const numbers = (entries: readonly { readonly sequence: number }[]) =>
  entries.map(({ sequence }) => sequence);

describe('open intents', () => {
  it('are those without an outcome; a receipt is none', () => {
    const entries = chained([
      { kind: 'intent', action: 'close' },
      { kind: 'intent', action: 'close' },
      { kind: 'receipt', action: 'close', cause: 1 },
      { kind: 'outcome', action: 'close', cause: 2 },
      {},
    ]);
    expect([...foldFacts(UNFOLDED, entries).openIntents.keys()]).toEqual([1]);
  });
});

describe('the entries about a session', () => {
  const entries = chained([
    { kind: 'intent', action: 'run', session: { key: null, name: 'build' } },
    { kind: 'outcome', action: 'run', session: { key: KEY, name: 'build' }, cause: 1 },
    { kind: 'declared', action: 'hold', session: { key: KEY, name: 'renamed' } },
    { kind: 'declared', action: 'hold', session: { key: OTHER, name: 'build' } },
    { kind: 'note', action: 'repair' },
    { kind: 'intent', action: 'run', session: { key: null, name: 'other' } },
    { kind: 'outcome', action: 'run', session: { key: 'odd', name: 'b\u001b[1m' }, cause: 6 },
  ]);

  it.each<[string, string, number[]]>([
    ['a name: every generation, also after it was renamed', 'build', [1, 2, 3, 4]],
    ['a later name', 'renamed', [1, 2, 3]],
    ['a key, with the intent from before it existed', KEY, [1, 2, 3]],
    ['an id', '$4', [4]],
    ['a name of which only the intent tells', 'other', [6, 7]],
    ['a name as it is shown', 'b\\e[1m', [6, 7]],
    ['a key of another form', 'odd', [6, 7]],
    ['nothing', 'buil', []],
  ])('are found by %s', (_, word, expected) => {
    expect(numbers(entriesAbout(entries, word))).toEqual(expected);
  });
});
