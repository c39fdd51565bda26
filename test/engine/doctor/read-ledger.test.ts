import { expect, it } from 'vitest';
import { foldFacts, UNFOLDED } from '../../../src/core/ledger/current-facts.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { LedgerError } from '../../../src/core/ledger/ledger-error.ts';
import type { LedgerDamage } from '../../../src/core/ledger/verify-chain.ts';
import { createLedgerReader } from '../../../src/engine/doctor/read-ledger.ts';
import type { Ledger, LedgerSelection } from '../../../src/ports/ledger.ts';

const entry = (sequence: number, bootId = 'now'): LedgerEntry => ({
  ...{ sequence, at: sequence, host: 'm', bootId, actor: { kind: 'cli', pid: 1, user: 'ann' } },
  ...{ kind: 'declared', action: 'hold', session: { key: `k${sequence}`, name: 'x' }, cause: null },
  ...{ body: {}, previous: '', hash: `hash ${sequence}` },
});

/** A ledger that says what it was asked. */
function ledger(entries: LedgerEntry[], asked: string[], damage: LedgerDamage | null = null) {
  const reach = () => {
    const { sequence = 0, hash = '' } = entries.at(-1) ?? {};
    return { isEmpty: entries.length === 0, head: { sequence, hash }, damage };
  };
  const visited = (what: string) => (begin: () => (one: LedgerEntry) => void) => {
    asked.push(what);
    entries.forEach(begin());
    return { ...reach(), path: '/ledger.db', lastAt: entries.at(-1)?.at ?? null };
  };
  return async () =>
    ({
      scan: visited('scan'),
      verify: visited('verify'),
      facts: () => ({ ...reach(), folded: foldFacts(UNFOLDED, entries) }),
      read({ after }: LedgerSelection) {
        asked.push(`after ${after?.sequence}`);
        return { ...reach(), entries: entries.slice(after?.sequence) };
      },
      close: () => asked.push('close'),
    }) as unknown as Ledger;
}

it('reads the ledger once, and then only what came since', async () => {
  const asked: string[] = [];
  const entries = [entry(1, 'earlier'), entry(2)];
  const reader = createLedgerReader(ledger(entries, asked));
  const { facts, sighting } = await reader.verify('now');
  expect(sighting).toMatchObject({ state: 'checked', path: '/ledger.db', head: { sequence: 2 }, lastAt: 2 });
  expect(facts).toMatchObject({ state: 'read', entries: [entry(2)], damage: null });
  entries.push(entry(3));
  const later = await reader.read('now');
  if (later.state !== 'read') throw new Error(later.text);
  expect(later.entries).toEqual([entry(2), entry(3)]);
  expect([...later.sessions.keys()].sort()).toEqual(['k1', 'k2', 'k3']);
  expect(asked).toEqual(['verify', 'close', 'after 2', 'close']);
});

it('reads a damaged ledger from its beginning each time', async () => {
  const asked: string[] = [];
  const damage: LedgerDamage = { reason: 'changed', sequence: 3, text: 'entry 3 was changed' };
  const reader = createLedgerReader(ledger([entry(1), entry(2)], asked, damage));
  expect((await reader.verify('now')).facts).toMatchObject({ damage: 'entry 3 was changed' });
  expect(await reader.read('now')).toMatchObject({ state: 'read', damage: 'entry 3 was changed' });
  expect(asked).toEqual(['verify', 'close', 'scan', 'close']);
});

it('S36: tells of a ledger that cannot be opened, and lets other faults through', async () => {
  const unopened = createLedgerReader(async () => {
    throw new LedgerError('damaged', 'it is broken', 'repair it');
  });
  const failed = { state: 'failed', text: 'it is broken', hint: 'repair it' };
  expect(await unopened.verify('now')).toEqual({ facts: failed, sighting: failed });
  expect(await unopened.read('now')).toEqual(failed);
  const broken = createLedgerReader(async () => {
    throw new TypeError('a defect');
  });
  await expect(broken.verify('now')).rejects.toThrow('a defect');
});
