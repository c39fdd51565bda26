import { afterAll, beforeAll, describe, expect } from 'vitest';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { outcomesIn, untilGone } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { until } from '../support/until.ts';
import { agentsIn, comesBack, type Scene, startWorker } from './comes-back.ts';
import { SleepKiller } from './sleep-killer.ts';
import { asleep, panes, screen, speaks } from './sleep-scene.ts';

describe.concurrent('a recovery after rollcall was killed leaves the dead pane as it is', () => {
  let killer: SleepKiller;
  beforeAll(async () => {
    killer = await SleepKiller.prepare();
  });
  afterAll(() => killer.remove());

  /** Somebody goes on with the agent, and it ends on their word. */
  async function goesOn({ room, hands }: Scene): Promise<string> {
    const [pid = 0] = agentsIn(room);
    await speaks({ room, hands });
    await room.tmux.tmux('send-keys', '-t', '=worker:', 'later', 'Enter', '/exit', 'Enter');
    await untilGone(pid);
    await until(
      'its pane is dead, and tmux is through with that',
      () => panes(room, '#{pane_dead} #{@rollcall_ends}'),
      (dead) => dead === '1',
    );
    return panes(room, '#{pane_pid}');
  }

  async function isLeft({ room }: Scene, pid: string): Promise<void> {
    // Nothing is to be written down of it any more, either.
    expect(await panes(room, '#{pane_dead} #{pane_pid} #{@rollcall_ends}')).toBe(`1 ${pid}`);
    expect(await screen(room)).toContain('later?');
  }

  test.for(['run', 'by hand'] as const)('of a hibernation (%s)', async (how, { staying: room, hands }) => {
    if (how === 'run') await startWorker({ room, hands }, 'leaves');
    else await room.agent('worker', 'leaves');
    expect(await killer.kill(room, 'hibernate', ['after', 'hold-pane'])).toBe('killed');
    const pid = await goesOn({ room, hands });
    expect(await recoverAll(hands)).toHaveLength(1);
    await isLeft({ room, hands }, pid);
    expect(outcomesIn(hands, 'hibernate')).toEqual(['interrupted']);
    expect(await comesBack({ room, hands })).toBe('reopened');
  });

  test('of a waking', async ({ staying: room, hands }) => {
    await startWorker({ room, hands }, 'leaves');
    await asleep({ room, hands });
    expect(await killer.kill(room, 'wake', ['after', 'start'])).toBe('killed');
    const pid = await goesOn({ room, hands });
    expect(await recoverAll(hands)).toHaveLength(1);
    await isLeft({ room, hands }, pid);
    expect(outcomesIn(hands, 'wake')).toEqual(['done']);
    const woken = entriesOf(hands).find(({ kind, action }) => kind === 'intent' && action === 'wake');
    expect(hands.ends.of(String(woken?.body.run))).toMatchObject({ exitStatus: 0 });
    expect(await room.entry(hands, 'worker')).toMatchObject({ activity: 'exited' });
  });
});
