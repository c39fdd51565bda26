import { expect, it } from 'vitest';
import { gatesAfter, type OpenGate } from '../../../src/core/gate/open-gates.ts';
import { gateStopOf } from '../../../src/core/gate/recorded-stop.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { JsonObject } from '../../../src/core/ledger/json.ts';
import { chained, KEY } from '../ledger/sample-chain.ts';

const said = (action: string, body: JsonObject): LedgerEntry => {
  const [entry] = chained([{ kind: 'declared', action, session: { key: KEY, name: 'build' }, body }]);
  if (entry === undefined) throw new Error('no entry');
  return entry;
};
const start = (gate: string | null, over: JsonObject = {}) =>
  said('gate-start', { gate, expiresAt: 9_000_000, owner: { paneId: '%1' }, ...over });
const opened = (gate: string, over: JsonObject = {}): readonly OpenGate[] =>
  gatesAfter([], start(gate, over));

it('a contract without a name opens nothing and ends nothing', () => {
  const open = opened('g-1');
  expect(gatesAfter([], start(null))).toEqual([]);
  expect(gatesAfter(open, said('gate-end', { phase: 'finished' }))).toBe(open);
});

it('one that was ended is closed, also where its awake clock is known; one whose time was over only where it is not', () => {
  const open = [...opened('g-1', { awakeMs: 5 }), ...opened('g-2', { owner: { paneId: '%2' } })];
  const after = (gate: string, phase: string) =>
    gatesAfter(open, said('gate-end', { gate, phase })).map(({ id }) => id);
  expect(after('g-1', 'finished')).toEqual(['g-2']);
  expect(after('g-1', 'expired')).toEqual(['g-1', 'g-2']);
  expect(after('g-2', 'expired')).toEqual(['g-1']);
});

it('only a stop is read as one', () => {
  const body = { gate: 'g-1', verdict: 'blocked', reason: 'checks-unmet', mode: 'enforce' };
  expect(gateStopOf(said('gate-stop', body))).toMatchObject({ verdict: 'blocked' });
  expect(gateStopOf(said('gate-end', body))).toBeNull();
});
