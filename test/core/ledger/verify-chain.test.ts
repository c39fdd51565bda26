import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BEGINNING, chain, hashOf, headAt } from '../../../src/core/ledger/chain.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { verifyChain } from '../../../src/core/ledger/verify-chain.ts';
import { chained, digest, KEY } from './sample-chain.ts';

const WHOLE = chained([
  { kind: 'intent', action: 'run', session: { key: null, name: 'a' } },
  { kind: 'outcome', action: 'run', session: { key: KEY, name: 'a' }, cause: 1, body: { result: 'done' } },
  { kind: 'declared', action: 'hold', session: { key: KEY, name: 'a' } },
  {},
  {},
  {},
]);
const [, second, third, fourth, fifth, last] = WHOLE as [
  LedgerEntry,
  LedgerEntry,
  LedgerEntry,
  LedgerEntry,
  LedgerEntry,
  LedgerEntry,
];
const without = (sequence: number) => WHOLE.filter((entry) => entry.sequence !== sequence);
const replaced = (...entries: LedgerEntry[]) =>
  WHOLE.map((entry) => entries.find(({ sequence }) => sequence === entry.sequence) ?? entry);
const resealed = (entry: LedgerEntry) => ({ ...entry, hash: hashOf(entry, digest) });

describe('a chain', () => {
  it('that nobody touched holds to its end', () => {
    expect(verifyChain(WHOLE, digest)).toEqual({ valid: 6, head: headAt(last), damage: null });
    expect(verifyChain(WHOLE, digest, { anchors: [headAt(last), headAt(third)] }).damage).toBeNull();
    expect(verifyChain([], digest)).toEqual({ valid: 0, head: BEGINNING, damage: null });
  });

  it('may be followed from the middle', () => {
    expect(verifyChain(WHOLE.slice(3), digest, { base: headAt(third) }).damage).toBeNull();
    expect(verifyChain(WHOLE.slice(3), digest, { base: headAt(second) }).damage).toMatchObject({
      reason: 'missing',
      sequence: 3,
    });
  });

  it.each<[string, LedgerEntry[], string, number, string]>([
    ['a changed body', replaced({ ...third, body: { x: 1 } }), 'changed', 3, 'entry 3 was changed'],
    ['a changed hash', replaced({ ...third, hash: 'f'.repeat(64) }), 'changed', 3, 'entry 3 was changed'],
    ['a removed entry', without(3), 'missing', 3, 'entry 3 is missing'],
    [
      'removed entries',
      WHOLE.filter(({ sequence }) => sequence < 3 || sequence > 5),
      'missing',
      3,
      'entries 3 to 5 are missing',
    ],
    ['a removed beginning', WHOLE.slice(1), 'missing', 1, 'entry 1 is missing'],
    [
      'a gap that was closed by renumbering',
      without(3).map((entry) => (entry.sequence > 3 ? { ...entry, sequence: entry.sequence - 1 } : entry)),
      'missing',
      3,
      'entry 3 is missing, and later ones were renumbered',
    ],
    [
      'two that changed places',
      [...WHOLE.slice(0, 2), fourth, third, fifth],
      'reordered',
      3,
      'entry 4 stands where entry 3 belongs',
    ],
    [
      'two that changed numbers',
      replaced({ ...fourth, sequence: 3 }, { ...third, sequence: 4 }),
      'reordered',
      3,
      'entry 3 was recorded as entry 4',
    ],
    [
      'two that changed numbers and were sealed again',
      replaced(resealed({ ...fifth, sequence: 4 }), resealed({ ...fourth, sequence: 5 })),
      'changed',
      4,
      'entry 4 does not follow entry 3',
    ],
    [
      'one that was sealed for another place',
      replaced(resealed({ ...fifth, previous: second.hash })),
      'reordered',
      5,
      'entry 5 was recorded after entry 2',
    ],
    [
      'one that comes twice',
      [...WHOLE.slice(0, 3), third, ...WHOLE.slice(3)],
      'duplicated',
      4,
      'entry 3 comes again',
    ],
    [
      'a copy under another number',
      [...WHOLE, { ...third, sequence: 7 }],
      'duplicated',
      7,
      'entry 7 is a copy of entry 3',
    ],
    [
      'one that was rewritten and sealed again',
      replaced(resealed({ ...third, action: 'unhold' })),
      'changed',
      4,
      'entry 4 does not follow entry 3',
    ],
  ])('shows %s', (_, entries, reason, sequence, text) => {
    const { damage, valid, head } = verifyChain(entries, digest);
    expect(damage).toMatchObject({ reason, sequence });
    expect(damage?.text).toContain(text);
    expect(valid).toBe(sequence - 1);
    expect(head.sequence).toBe(sequence - 1);
  });

  it('shows an end that was cut off, by what is known from elsewhere', () => {
    const one = verifyChain(WHOLE.slice(0, 5), digest, { anchors: [headAt(last)] });
    expect(one).toMatchObject({ valid: 5, damage: { reason: 'cut-off', sequence: 6 } });
    const two = verifyChain(WHOLE.slice(0, 4), digest, { anchors: [headAt(last)] });
    expect(two.damage?.text).toBe('entries 5 to 6 are missing at the end');
  });

  it('shows a history that was rewritten as a whole, by what is known from elsewhere', () => {
    const other = chained([{}, {}, {}, {}, {}, {}]);
    expect(verifyChain(other, digest).damage).toBeNull();
    expect(verifyChain(other, digest, { anchors: [headAt(fifth)] }).damage).toMatchObject({
      reason: 'changed',
      sequence: 5,
      text: expect.stringContaining('rewritten'),
    });
  });

  it('shows any single change to any field of any entry, at that entry', () => {
    const fields = ['at', 'host', 'bootId', 'action', 'previous', 'hash', 'cause', 'kind'] as const;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom(...fields),
        fc.string(),
        (index, field, noise) => {
          const entry = WHOLE[index] as LedgerEntry;
          const changed = { ...entry, [field]: `${entry[field]}${noise}!` } as LedgerEntry;
          const { damage, valid } = verifyChain(replaced(changed), digest);
          expect(damage).not.toBeNull();
          expect(valid).toBe(index);
        },
      ),
    );
  });

  it('covers who acted and which session it was', () => {
    expect(verifyChain(replaced({ ...third, actor: { ...third.actor, pid: 8 } }), digest).valid).toBe(2);
    expect(verifyChain(replaced({ ...third, session: null }), digest).valid).toBe(2);
    expect(verifyChain(replaced({ ...third, session: { key: KEY, name: 'b' } }), digest).valid).toBe(2);
  });

  it('has one form: what an entry carries beyond its fields is not part of it', () => {
    const content = { ...third, extra: 1, session: { key: KEY, name: 'a', extra: 2 } };
    expect(chain(headAt(second), content, digest)).toEqual(third);
  });
});
