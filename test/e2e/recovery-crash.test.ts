import { afterAll, beforeAll, describe, expect } from 'vitest';
import { hold, unhold } from '../../src/engine/act/declare-standing.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { type ClosingRoom, untilGone } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { killedAtCall } from '../support/mortal.ts';
import { comesBack, recovers, type Scene, startWorker } from './comes-back.ts';
import { type Moment, SleepKiller } from './sleep-killer.ts';

let killer: SleepKiller;
beforeAll(async () => {
  killer = await SleepKiller.prepare();
});
afterAll(() => killer.remove());

/** More than anything that is recovered here takes. */
const MOST = 20;

/** Does it again and again, and dies at each lasting call of it, before and after; tells at which, until it lives. */
async function dyingEverywhere(
  room: ClosingRoom,
  act: (hands: Hands) => Promise<unknown>,
): Promise<readonly string[]> {
  const died: string[] = [];
  for (let call = 1; call <= MOST; call += 1) {
    for (const when of ['before', 'after'] as const) {
      const end = await killedAtCall(() => room.hands(), [when, call], act);
      if ('livesOn' in end) return died;
      died.push(`${when} ${end.diedAt}`);
    }
  }
  throw new Error(`it never ends: ${died.join(', ')}`);
}

function oneOutcomeEach({ hands }: Scene): void {
  const entries = entriesOf(hands);
  const intents = entries.filter(({ kind }) => kind === 'intent');
  for (const { sequence } of intents)
    expect(entries.filter(({ kind, cause }) => kind === 'outcome' && cause === sequence)).toHaveLength(1);
  expect(hands.ledger.verify().damage).toBeNull();
}

const CUT_SHORT: readonly (readonly ['hibernate' | 'wake', Moment])[] = [
  ['hibernate', ['after', 'hold-pane']],
  ['hibernate', ['after', 'terminate']],
  ['hibernate', ['after', 'sleep']],
  ['wake', ['after', 'keep']],
  ['wake', ['after', 'start']],
];

describe.concurrent('S50: whoever recovers is killed at everything that lasts, again and again', () => {
  test.for(CUT_SHORT)('after a %s, %s', async ([deed, moment], { staying: room, hands }) => {
    const pid = await startWorker({ room, hands }, 'done');
    if (deed === 'wake')
      expect(await room.close(hands, 'worker', { isToSleep: true })).toMatchObject({ state: 'asleep' });
    expect(await killer.kill(room, deed, moment)).toBe('killed');
    if (moment[1] === 'terminate') await untilGone(pid);
    const died = await dyingEverywhere(room, recoverAll);
    expect(died.length).toBeGreaterThan(0);
    expect(died).toContain('before ledger.append');
    await recovers({ room, hands });
    oneOutcomeEach({ room, hands });
    await comesBack({ room, hands });
  });
});

describe.concurrent('S50: a hold that is killed at everything that lasts', () => {
  test('holds or does not, and can be said and taken back again', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const entry = await room.entry(hands, 'worker');
    const held = async () =>
      (await room.entry(hands, 'worker')).protections.some(({ code }) => code === 'held');
    expect(await dyingEverywhere(room, (dying) => hold(dying, entry, null))).toContain('after tmux.markHeld');
    await hold(hands, entry, null);
    expect(await held()).toBe(true);
    // The entry first, then the mark on the session.
    const now = await room.entry(hands, 'worker');
    for (const moment of [
      ['before', 1],
      ['after', 1],
    ] as const)
      expect(
        await killedAtCall(
          () => room.hands(),
          moment,
          (dying) => unhold(dying, now),
        ),
      ).toEqual({
        diedAt: 'ledger.append',
      });
    expect(await held()).toBe(true);
    await hold(hands, entry, 'again');
    for (const moment of [
      ['before', 2],
      ['after', 1],
    ] as const)
      expect(
        await killedAtCall(
          () => room.hands(),
          moment,
          (dying) => unhold(dying, entry),
        ),
      ).toEqual({
        diedAt: 'tmux.markHeld',
      });
    await unhold(hands, await room.entry(hands, 'worker'));
    expect(await held()).toBe(false);
    oneOutcomeEach({ room, hands });
  });
});
