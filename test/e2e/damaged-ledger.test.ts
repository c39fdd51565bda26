import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { LedgerError } from '../../src/core/ledger/ledger-error.ts';
import { wakeSession } from '../../src/engine/act/sleep/wake-session.ts';
import { type ClosingRoom, lives } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';

/** Turns a digit of the anchor: how far the ledger went is not known any more. */
function damage(room: ClosingRoom): () => void {
  const path = join(room.state, 'rollcall', 'ledger.head');
  const before = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    before.replace(/"hash":"./, (text) => `${text.slice(0, -1)}${text.endsWith('0') ? 1 : 0}`),
  );
  return () => writeFileSync(path, before);
}

/** What came of an act: its result, or why the ledger refused. */
const outcome = (act: Promise<unknown>) =>
  act.catch((error: unknown) => (error instanceof LedgerError ? error.code : error));

describe.concurrent('S36: on a damaged ledger nobody acts', () => {
  test.for([[{}], [{ isForced: true }], [{ isToSleep: true }]] as const)(
    'no close with %j, and the agent lives',
    async ([wish], { staying: room, hands }) => {
      const { pid } = await room.agent('worker', 'leaves');
      const entry = await room.entry(hands, 'worker');
      hands.ledger.append({ kind: 'declared', action: 'hold', session: { key: 'k', name: 'other' } });
      damage(room);
      const fresh = await room.hands();
      const end = await outcome(room.close(fresh, 'worker', wish));
      expect(end === 'damaged' || (end as { state: string }).state === 'refused').toBe(true);
      expect(lives(pid)).toBe(true);
      expect((await room.names()).includes(entry.name)).toBe(true);
      fresh.ledger.close();
    },
  );

  test('no wake, until it is whole again', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    expect(await room.close(hands, 'worker', { isToSleep: true })).toMatchObject({ state: 'asleep' });
    const entry = await room.entry(hands, 'worker');
    const mend = damage(room);
    expect(await outcome(wakeSession(await room.hands(), { entry, argv: [] }))).toBe('damaged');
    mend();
    expect(await wakeSession(await room.hands(), { entry, argv: [] })).toMatchObject({ state: 'woken' });
  });
});
