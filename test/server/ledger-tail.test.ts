import { expect, it } from 'vitest';
import type { LedgerEntry } from '../../src/core/ledger/entry.ts';
import type { Ledger } from '../../src/ports/ledger.ts';
import { createLedgerTail } from '../../src/server/ledger-tail.ts';

/** More than a tail keeps, and the clock was set back by an hour in the middle: late ones are older than early ones. */
const entries = Array.from({ length: 5000 }, (_, index) => ({
  sequence: index + 1,
  at: 10_000 + (index < 2500 ? index + 3_600_000 : index),
})) as LedgerEntry[];

let scans = 0;
const ledger = {
  read: ({ last = entries.length } = {}) => ({
    ...{ entries: entries.slice(-last), head: { sequence: entries.length }, damage: null, isEmpty: false },
  }),
  scan: (begin: () => (entry: LedgerEntry) => void) => {
    scans += 1;
    entries.forEach(begin());
  },
  facts: () => ({ damage: null, folded: { openIntents: new Map() } }),
} as unknown as Pick<Ledger, 'read' | 'scan' | 'facts'>;

const page = (wish: { readonly after?: number; readonly since?: number; readonly limit: number }) => {
  const tail = createLedgerTail(ledger);
  tail.follow();
  const before = scans;
  const found = tail.page({ after: null, since: null, ...wish });
  return {
    sequences: found.entries.map(({ sequence }) => sequence),
    next: found.next,
    scans: scans - before,
  };
};

it('gives the newest entries since a time, as the command does', () => {
  expect(page({ since: 10_000, limit: 3 })).toEqual({ sequences: [4998, 4999, 5000], next: null, scans: 0 });
});

it('finds the newest since a time also where they lie far back', () => {
  expect(page({ since: 10_000 + 3_600_000, limit: 2 })).toEqual({
    ...{ sequences: [2499, 2500], next: null, scans: 1 },
  });
});

it('pages from an entry on, the oldest first', () => {
  const since = 10_000 + 3_600_000;
  expect(page({ after: 2490, since, limit: 4 })).toMatchObject({
    ...{ sequences: [2491, 2492, 2493, 2494], next: 2494 },
  });
  expect(page({ after: 2496, since, limit: 4 })).toMatchObject({
    ...{ sequences: [2497, 2498, 2499, 2500], next: null },
  });
  expect(page({ after: 4997, limit: 2 })).toMatchObject({ sequences: [4998, 4999], next: 4999 });
});
