import { afterAll, beforeAll, describe, expect } from 'vitest';
import { HIBERNATE_STEPS } from '../../src/engine/act/close/taken.ts';
import { hold, retain } from '../../src/engine/act/declare-standing.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import {
  type ClosingRoom,
  lives,
  outcomesIn,
  receiptsIn,
  SHELL,
  untilGone,
} from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { killedInside } from '../support/mortal.ts';
import { sliceOf } from '../support/slice.ts';
import { until } from '../support/until.ts';
import {
  agentsIn,
  comesBack,
  comesBackLost,
  finishes,
  paneSettings,
  recovers,
  sleeping,
  startWorker,
} from './comes-back.ts';
import { eachAfter, type Moment, SleepKiller } from './sleep-killer.ts';
import { asleep, attach, panes, screen, speaks } from './sleep-scene.ts';

let killer: SleepKiller;
beforeAll(async () => {
  killer = await SleepKiller.prepare();
});
afterAll(() => killer.remove());

// It answers and stays, ends on SIGTERM, and leaves its helper behind: every step has something to do.
const THOROUGH = 'done+helper';
const MOMENTS: readonly Moment[] = [['before', 'archive'], ...eachAfter(HIBERNATE_STEPS)];
const MANNERS = [
  ...sliceOf(MOMENTS, 3).map((moment) => [...moment, THOROUGH] as const),
  ...eachAfter(['type', 'enter', 'sleep']).map((moment) => [...moment, 'leaves'] as const),
];

describe.concurrent('S50, S62: rollcall is killed while it puts an agent to sleep', () => {
  test.for(MANNERS)('%s %s (%s)', async ([when, step, manner], { staying: room, hands }) => {
    const pid = await startWorker({ room, hands }, manner);
    const before = await paneSettings(room);
    expect(await killer.kill(room, 'hibernate', [when, step])).toBe('killed');
    // It ends once it is given a core, and not while it is looked at.
    if (step === 'terminate' || (step === 'enter' && manner === 'leaves')) await untilGone(pid);
    // Where nobody has put its sleeper there, its dead pane stays as it is.
    const isAsleep = step === 'sleep' ? await isSleeperThere(room) : !['enter', 'terminate'].includes(step);
    await recovers({ room, hands });
    if (lives(pid)) {
      expect(await paneSettings(room)).toBe(before);
      expect(receiptsIn(hands)).toEqual([]);
      expect(await comesBack({ room, hands })).toBe('stayed');
      return;
    }
    if (isAsleep) {
      await until(
        'it sleeps',
        () => sleeping({ room, hands }),
        (entry) => entry?.name === 'worker',
      );
    } else expect(await sleeping({ room, hands })).toBeUndefined();
    expect(receiptsIn(hands)).toHaveLength(1);
    expect(outcomesIn(hands, 'hibernate')).toEqual([isAsleep ? 'done' : 'interrupted']);
    expect(await paneSettings(room)).toContain('@rollcall_task T-1');
    expect(await comesBack({ room, hands })).toBe(isAsleep ? 'woken' : 'reopened');
  });

  test.for(sliceOf(eachAfter(['hold-pane', 'enter', 'terminate', 'sleep']), 2))(
    '%s %s, in a session that it did not start',
    async (moment, { staying: room, hands }) => {
      const { pid } = await room.agent('worker', 'done');
      const before = await paneSettings(room);
      expect(await killer.kill(room, 'hibernate', moment)).toBe('killed');
      if (moment[1] === 'terminate') await untilGone(pid);
      const isAsleep = moment[1] === 'sleep' && (await isSleeperThere(room));
      await recovers({ room, hands });
      if (lives(pid)) expect(await paneSettings(room)).toBe(before);
      const gone = isAsleep ? 'woken' : 'reopened';
      expect(await comesBack({ room, hands })).toBe(lives(pid) ? 'stayed' : gone);
    },
  );

  test('and a shell stands where the agent was', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves', SHELL);
    const before = await paneSettings(room);
    expect(await killer.kill(room, 'hibernate', ['after', 'enter'])).toBe('killed');
    await untilGone(pid);
    await recovers({ room, hands });
    expect(await paneSettings(room)).toBe(before);
    expect(outcomesIn(hands, 'hibernate')).toEqual(['interrupted']);
    expect(await comesBack({ room, hands })).toBe('reopened');
    expect(await room.names()).toContain('worker');
  });

  test('and so is whoever recovers that', async ({ staying: room, hands }) => {
    const pid = await startWorker({ room, hands }, 'done');
    expect(await killer.kill(room, 'hibernate', ['after', 'terminate'])).toBe('killed');
    await untilGone(pid);
    expect(await killer.kill(room, 'recover', ['before', 'receipt'])).toBe('killed');
    expect(await killer.kill(room, 'recover', ['after', 'receipt'])).toBe('killed');
    await recovers({ room, hands });
    expect(receiptsIn(hands)).toHaveLength(1);
    expect(await comesBack({ room, hands })).toBe('reopened');
  });
});

describe.concurrent('S50: whoever recovers starts nothing: the dead pane stays to be read', () => {
  test('where a retention was answered after the hibernation was cut short', async ({
    staying: room,
    hands,
  }) => {
    const pid = await startWorker({ room, hands }, 'done');
    expect(await killer.kill(room, 'hibernate', ['after', 'terminate'])).toBe('killed');
    await untilGone(pid);
    await untilDead(room);
    const entry = await room.entry(hands, 'worker');
    expect(await retain(hands, entry, { forMs: 3_600_000, reason: null })).toMatchObject({
      state: 'declared',
    });
    await recovers({ room, hands });
    expect(await panes(room, '#{pane_dead}')).toBe('1');
  });

  test.for(['attached', 'held'] as const)(
    'where somebody was (%s) in the agent that a waking had started',
    async (how, { staying: room, hands }) => {
      await startWorker({ room, hands }, 'leaves');
      await asleep({ room, hands });
      expect(await killer.kill(room, 'wake', ['after', 'start'])).toBe('killed');
      const leave = how === 'attached' ? await attach(room) : async () => {};
      await speaks({ room, hands });
      if (how === 'held') {
        const held = await hold(hands, await room.entry(hands, 'worker'), 'mine');
        expect(held).toMatchObject({ state: 'declared' });
      }
      const [pid = 0] = agentsIn(room);
      await room.tmux.tmux('send-keys', '-t', '=worker:', 'precious', 'Enter', '/exit', 'Enter');
      await untilGone(pid);
      await untilDead(room);
      await recovers({ room, hands });
      expect(await panes(room, '#{pane_dead}')).toBe('1');
      expect(await screen(room)).toContain('precious');
      await leave();
    },
  );
});

/**
 * tmux starts the sleeper in a copy of its own process. Tells whether it did: a step that found the pane stirred has done nothing yet.
 */
async function isSleeperThere(room: ClosingRoom): Promise<boolean> {
  const seen = await until(
    'its sleeper is no longer tmux, or its pane is dead',
    () => panes(room, '#{pane_dead} #{pane_current_command}'),
    (pane) => pane === '0 sh' || pane.startsWith('1 '),
  );
  return seen === '0 sh';
}

const untilDead = (room: ClosingRoom) =>
  until(
    'its pane is dead',
    () => panes(room, '#{pane_dead}'),
    (dead) => dead === '1',
  );

describe.concurrent('tmux does not answer whoever recovers a hibernation', () => {
  const NO_ANSWER = { state: 'failed', text: 'no answer' } as const;

  test('and the pane of its agent is still held', async ({ staying: room, hands }) => {
    await startWorker({ room, hands }, 'leaves');
    const before = await paneSettings(room);
    expect(await killer.kill(room, 'hibernate', ['after', 'hold-pane'])).toBe('killed');
    const setEnd = async () => NO_ANSWER;
    expect(await recoverAll({ ...hands, tmux: { ...hands.tmux, setEnd } })).toEqual([]);
    await recovers({ room, hands });
    expect(await paneSettings(room)).toBe(before);
    expect(await comesBack({ room, hands })).toBe('stayed');
  });
});

describe.concurrent('S50: an agent whose hibernation was cut short', () => {
  test.for(eachAfter(['intent', 'hold-pane', 'type']))(
    '%s %s finishes as if nobody had tried',
    async (moment, { staying: room, hands }) => {
      const pid = await startWorker({ room, hands }, 'leaves');
      expect(await killer.kill(room, 'hibernate', moment)).toBe('killed');
      await recovers({ room, hands });
      await room.tmux.tmux('send-keys', '-t', '=worker:', 'C-u', '/exit', 'Enter');
      await finishes({ room, hands }, pid);
      expect(await comesBack({ room, hands })).toBe('reopened');
    },
  );

  test('finishes also where it leaves after that was recovered', async ({ staying: room, hands }) => {
    const pid = await startWorker({ room, hands }, 'lingers');
    expect(await killer.kill(room, 'hibernate', ['after', 'enter'])).toBe('killed');
    await recovers({ room, hands });
    expect(lives(pid)).toBe(true);
    room.agents.letGo('worker');
    await finishes({ room, hands }, pid);
    expect(await comesBack({ room, hands })).toBe('reopened');
  });
});

describe.concurrent('S50: an agent that was asked to leave, and does so after that was recovered', () => {
  test.for(['hibernate', 'close'] as const)(
    'leaves a receipt, also in a session that rollcall did not start (%s)',
    async (what, { staying: room, hands }) => {
      const { pid } = await room.agent('worker', 'lingers');
      const end = await killedInside(
        (changes) => room.hands(changes),
        (step, when) => step === 'enter' && when === 'after',
        (dying) => room.close(dying, 'worker', { isToSleep: what === 'hibernate' }),
      );
      expect(end).toBe('killed');
      await recovers({ room, hands });
      expect(lives(pid)).toBe(true);
      room.agents.letGo('worker');
      await untilGone(pid);
      await until(
        'its session is gone',
        () => room.names(),
        (names) => !names.includes('worker'),
      );
      expect(receiptsIn(hands)).toHaveLength(1);
      expect(await comesBack({ room, hands })).toBe('reopened');
    },
  );
});

describe.concurrent('S62: the tmux server is killed while an agent is put to sleep', () => {
  test.for(sliceOf(MOMENTS, 6))('%s %s', async (moment, { staying: room, hands }) => {
    await startWorker({ room, hands }, THOROUGH);
    expect(await killer.kill(room, 'hibernate', moment, ['server'])).toBe('lived on');
    await comesBackLost({ room, hands });
  });

  test.for(sliceOf(eachAfter(['hold-pane', 'terminate', 'sleep', 'receipt']), 2))(
    '%s %s, and rollcall with it',
    async (moment, { staying: room, hands }) => {
      await startWorker({ room, hands }, THOROUGH);
      expect(await killer.kill(room, 'hibernate', moment, ['server', 'rollcall'])).toBe('killed');
      await comesBackLost({ room, hands });
    },
  );

  test.for(sliceOf(eachAfter(['enter', 'terminate', 'sleep']), 2))(
    '%s %s, in a session that rollcall did not start',
    async (moment, { staying: room, hands }) => {
      await room.agent('worker', 'done');
      expect(await killer.kill(room, 'hibernate', moment, ['server'])).toBe('lived on');
      await comesBackLost({ room, hands });
    },
  );

  test('after hold-pane, in such a session, and rollcall with it', async ({ staying: room, hands }) => {
    await room.agent('worker', 'done');
    const end = await killer.kill(room, 'hibernate', ['after', 'hold-pane'], ['server', 'rollcall']);
    expect(end).toBe('killed');
    await comesBackLost({ room, hands });
  });
});

describe.concurrent('S62: the sleeper is killed as soon as it is there', () => {
  test.for([[['sleeper']], [['sleeper', 'rollcall']]] as const)(
    '%s',
    async ([kills], { staying: room, hands }) => {
      await startWorker({ room, hands }, 'leaves');
      const end = await killer.kill(room, 'hibernate', ['after', 'sleep'], kills);
      expect(end).toBe(kills.length > 1 ? 'killed' : 'lived on');
      await recovers({ room, hands });
      expect(await comesBack({ room, hands })).toBe('woken');
    },
  );
});
