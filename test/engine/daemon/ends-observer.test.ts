import { expect, test } from 'vitest';
import type { SessionFacts } from '../../../src/core/ledger/current-facts.ts';
import type { EndRecord } from '../../../src/core/memory/ended.ts';
import type { Round } from '../../../src/core/supervision/round.ts';
import type { Desk } from '../../../src/engine/daemon/desk.ts';
import { createEndsObserver } from '../../../src/engine/daemon/lost-observers.ts';

const now = { at: 9, awakeMs: 9, suspendedMs: 0 };

test('S58: ends are recorded once their session is gone, and not tried twice', async () => {
  let tries = 0;
  const known = { key: 'k', origin: { place: {}, run: 'r1' }, closed: null, reopened: null };
  const facts = new Map([['k', known as unknown as SessionFacts]]);
  const desk = {
    ledger: { facts: () => ({ folded: { facts } }) },
    withHands: async () => {
      tries += 1;
    },
  } as unknown as Pick<Desk, 'ledger' | 'withHands'>;
  let records: readonly Pick<EndRecord, 'run'>[] = [];
  const observe = createEndsObserver(desk, { all: () => records as readonly EndRecord[] });
  const round = (...keys: string[]) =>
    observe({
      now,
      roll: { sessions: keys.map((key) => ({ key, lifecycle: 'active' })) },
    } as unknown as Round);
  await round();
  expect(tries).toBe(0);
  records = [{ run: 'r1' }, { run: 'nobody’s' }];
  // Its pane stands: with --remain for as long as somebody wants.
  await round('k');
  expect(tries).toBe(0);
  await round('other');
  await round('other');
  expect(tries).toBe(1);
});

test('an end that was held up is settled once nothing holds it up', async () => {
  let tries = 0;
  const known = {
    ...{ key: 'k', origin: { place: {} }, closed: null, reopened: null, claims: {} },
    ended: { exitStatus: 0, exitSignal: null, endedAt: 5, lines: [] },
  };
  let facts: object = { ...known, held: { at: 1, reason: null } };
  const desk = {
    ledger: { facts: () => ({ folded: { facts: new Map([['k', facts]]) } }) },
    withHands: async () => {
      tries += 1;
    },
  } as unknown as Pick<Desk, 'ledger' | 'withHands'>;
  const observe = createEndsObserver(desk, { all: () => [] });
  const round = () => observe({ now, roll: { sessions: [] } } as unknown as Round);
  await round();
  expect(tries).toBe(0);
  facts = known;
  await round();
  await round();
  expect(tries).toBe(1);
});
