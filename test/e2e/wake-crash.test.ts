import { afterAll, beforeAll, describe, expect } from 'vitest';
import { WAKE_STEPS } from '../../src/engine/act/sleep/wake-order.ts';
import { outcomesIn } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { sliceOf } from '../support/slice.ts';
import { until } from '../support/until.ts';
import {
  agentsIn,
  comesBack,
  comesBackLost,
  finishes,
  recovers,
  type Scene,
  startWorker,
} from './comes-back.ts';
import { eachAfter, type Moment, SleepKiller } from './sleep-killer.ts';
import { panes, seeingItsEnd } from './sleep-scene.ts';

let killer: SleepKiller;
beforeAll(async () => {
  killer = await SleepKiller.prepare();
});
afterAll(() => killer.remove());

const MOMENTS: readonly Moment[] = [['before', 'intent'], ...eachAfter(WAKE_STEPS)];
/** Of one that ends at once. */
const FAILING = eachAfter(['start', 'sleep-again', 'outcome']);
/** While the sleeper lives. */
const ASLEEP: readonly Moment[] = [['before', 'intent'], ...eachAfter(['intent', 'put-back', 'keep'])];

async function fallsAsleep({ room, hands }: Scene): Promise<void> {
  await startWorker({ room, hands }, 'leaves');
  expect(await room.close(hands, 'worker', { isToSleep: true })).toMatchObject({ state: 'asleep' });
}

describe.concurrent('S50, S62: rollcall is killed while it wakes an agent', () => {
  test.for(sliceOf(MOMENTS, 3))('%s %s', async (moment, { staying: room, hands }) => {
    await fallsAsleep({ room, hands });
    expect(await killer.kill(room, 'wake', moment)).toBe('killed');
    await recovers({ room, hands });
    const isStarted = MOMENTS.indexOf(moment) >= MOMENTS.findIndex(([, step]) => step === 'start');
    if (isStarted) await until('its agent is no longer tmux', () => agentsIn(room).length === 1);
    expect(await comesBack({ room, hands })).toBe(isStarted ? 'stayed' : 'woken');
    expect(outcomesIn(hands, 'wake').filter((result) => result === 'done')).toHaveLength(1);
  });

  test.for(FAILING)('%s %s, and its program ends at once', async (moment, { staying: room, hands }) => {
    await fallsAsleep({ room, hands });
    room.agents.breaks();
    expect(await killer.kill(room, 'wake', moment, ['rollcall'], seeingItsEnd)).toBe('killed');
    if (moment[1] === 'start')
      await until(
        'its program has ended',
        () => panes(room, '#{pane_dead}'),
        (dead) => dead === '1',
      );
    await recovers({ room, hands });
    room.agents.mend();
    // Whoever wakes it puts its sleeper back; whoever recovers leaves its pane as it is.
    expect(await comesBack({ room, hands })).toBe(moment[1] === 'start' ? 'reopened' : 'woken');
  });

  test.for(sliceOf(eachAfter(['start', 'settle', 'outcome']), 2))(
    '%s %s, and the end of the agent is recorded all the same',
    async (moment, { staying: room, hands }) => {
      await fallsAsleep({ room, hands });
      expect(await killer.kill(room, 'wake', moment)).toBe('killed');
      await recovers({ room, hands });
      await comesBack({ room, hands });
      const [pid = 0] = agentsIn(room);
      await room.tmux.tmux('send-keys', '-t', '=worker:', '/exit', 'Enter');
      await finishes({ room, hands }, pid);
      expect(await comesBack({ room, hands })).toBe('reopened');
    },
  );
});

describe.concurrent('the tmux server is killed while an agent wakes', () => {
  test.for(sliceOf(MOMENTS, 6))('%s %s', async (moment, { staying: room, hands }) => {
    await fallsAsleep({ room, hands });
    expect(await killer.kill(room, 'wake', moment, ['server'])).toBe('lived on');
    await comesBackLost({ room, hands });
  });

  test.for(sliceOf(eachAfter(['keep', 'start', 'settle']), 2))(
    '%s %s, and rollcall with it',
    async (moment, { staying: room, hands }) => {
      await fallsAsleep({ room, hands });
      expect(await killer.kill(room, 'wake', moment, ['server', 'rollcall'])).toBe('killed');
      await comesBackLost({ room, hands });
    },
  );

  test.for(sliceOf(FAILING, 2))(
    '%s %s, and its program ends at once',
    async (moment, { staying: room, hands }) => {
      await fallsAsleep({ room, hands });
      room.agents.breaks();
      expect(await killer.kill(room, 'wake', moment, ['server'], seeingItsEnd)).toBe('lived on');
      room.agents.mend();
      await comesBackLost({ room, hands });
    },
  );
});

describe.concurrent('the sleeper is killed while its agent wakes', () => {
  test.for(sliceOf(ASLEEP, 2))('%s %s', async (moment, { staying: room, hands }) => {
    await fallsAsleep({ room, hands });
    expect(await killer.kill(room, 'wake', moment, ['sleeper'])).toBe('lived on');
    await recovers({ room, hands });
    expect(await comesBack({ room, hands })).toBe('stayed');
  });

  test('after keep, and rollcall with it', async ({ staying: room, hands }) => {
    await fallsAsleep({ room, hands });
    expect(await killer.kill(room, 'wake', ['after', 'keep'], ['sleeper', 'rollcall'])).toBe('killed');
    await recovers({ room, hands });
    expect(await comesBack({ room, hands })).toBe('woken');
  });
});
