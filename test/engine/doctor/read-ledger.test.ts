import { expect, it } from 'vitest';
import { LedgerError } from '../../../src/core/ledger/ledger-error.ts';
import { readLedger, verifyLedger } from '../../../src/engine/doctor/read-ledger.ts';
import type { Ledger, LedgerCheck } from '../../../src/ports/ledger.ts';

const CHECK: LedgerCheck = {
  ...{ path: '/ledger.db', isEmpty: false, anchor: null, entries: [] },
  head: { sequence: 7, hash: 'abc' },
  damage: { reason: 'changed', sequence: 8, text: 'entry 8 was changed' },
};

function ledger(asked: string[]): () => Promise<Ledger> {
  const answer = (what: string) => () => {
    asked.push(what);
    return CHECK;
  };
  return async () =>
    ({ read: answer('read'), verify: answer('verify'), close: () => asked.push('close') }) as never;
}

it('reads the ledger once, for the sessions and for its own check', async () => {
  const asked: string[] = [];
  const { facts, sighting } = await verifyLedger(ledger(asked));
  const { path, isEmpty, head, damage } = CHECK;
  expect(sighting).toEqual({ state: 'checked', path, isEmpty, head, damage, lastAt: null });
  expect(facts).toEqual(await readLedger(ledger(asked)));
  expect(facts).toMatchObject({ state: 'read', entries: [], damage: 'entry 8 was changed' });
  expect(asked).toEqual(['verify', 'close', 'read', 'close']);
});

it('S36: tells of a ledger that cannot be opened, and lets other faults through', async () => {
  const unopened = async (): Promise<Ledger> => {
    throw new LedgerError('damaged', 'it is broken', 'repair it');
  };
  const failed = { state: 'failed', text: 'it is broken', hint: 'repair it' };
  expect(await verifyLedger(unopened)).toEqual({ facts: failed, sighting: failed });
  expect(await readLedger(unopened)).toEqual(failed);
  const broken = async (): Promise<Ledger> => {
    throw new TypeError('a defect');
  };
  await expect(verifyLedger(broken)).rejects.toThrow('a defect');
});
