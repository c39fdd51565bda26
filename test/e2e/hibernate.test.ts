import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { wakeSession } from '../../src/engine/act/sleep/wake-session.ts';
import { entriesOf, factsIn } from '../engine/act/acting-room.ts';
import { lives, outcomesIn, receiptsIn, SHELL } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { until } from '../support/until.ts';
import { asleep, hibernate, panes, reopen, screen, seeingItsEnd, speaks, wake } from './sleep-scene.ts';

describe.concurrent('S62: a session whose agent sleeps', () => {
  test('stays with its layout, tells what sleeps, and wakes into the same pane', async ({
    staying: room,
    hands,
  }) => {
    const { pid, paneId } = await room.agent('worker', 'leaves');
    const before = await room.entry(hands, 'worker');
    await room.tmux.tmux('rename-window', '-t', '=worker:', 'mine');
    const receipt = await asleep({ room, hands });
    expect(lives(pid)).toBe(false);
    const entry = await room.entry(hands, 'worker');
    expect(entry).toMatchObject({
      ...{ key: before.key, activity: 'asleep', lifecycle: 'active' },
      agent: { conversation: 'talk-worker', pid: null },
      reasons: [{ code: 'asleep' }],
    });
    expect(entry.panes).toMatchObject([{ paneId, program: 'sleeper', activity: 'asleep' }]);
    expect(await panes(room, '#{window_name} #{pane_id}')).toBe(`mine ${paneId}`);
    const shown = await until(
      'it shows what sleeps',
      () => screen(room),
      (text) => text.includes('Press Enter'),
    );
    expect(shown).toContain('talk-worker');
    expect(shown).toContain(receipt);
    expect(memoryOf(entry.panes[0]?.pid ?? 0)).toBeLessThan(2 * 2 ** 20);

    const woken = await wake({ room, hands });
    expect(woken).toMatchObject({ state: 'woken', key: before.key, receipt });
    const again = await until(
      'the agent speaks',
      () => room.entry(hands, 'worker'),
      (one) => one.agent?.conversation === 'talk-worker' && one.activity === 'idle',
    );
    expect(again).toMatchObject({ key: before.key, panes: [{ paneId }] });
    expect(factsIn(hands).get(before.key)).toMatchObject({ asleep: undefined, origin: null });
    expect(await wake({ room, hands })).toMatchObject({ state: 'awake' });
    expect(hands.ledger.verify().damage).toBeNull();
  });

  test('is put to sleep once, and woken once', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const receipt = await asleep({ room, hands });
    expect(await hibernate({ room, hands })).toMatchObject({ state: 'already-asleep', receipt });
    const others = await Promise.all([room.hands(), room.hands(), room.hands()]);
    const results = await Promise.all(others.map((one) => wake({ room, hands: one })));
    expect(results.map(({ state }) => state).sort()).toEqual(['awake', 'awake', 'woken']);
    expect(outcomesIn(hands, 'wake')).toEqual(['done']);
  });

  test('is awake for whoever waited while another woke it', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    await asleep({ room, hands });
    const order = { entry: await room.entry(hands, 'worker'), argv: ['test'] };
    const other = await room.hands();
    let second: ReturnType<typeof wakeSession> | null = null;
    const onStep = (name: string, when: string) => {
      // The agent runs by then, and that it was woken is not in the ledger yet.
      if (name === 'settle' && when === 'before') second = wakeSession(other, order);
    };
    expect(await wakeSession({ ...hands, onStep }, order)).toMatchObject({ state: 'woken' });
    expect(await second).toEqual({ state: 'awake', name: 'worker' });
    expect(outcomesIn(hands, 'wake')).toEqual(['done']);
  });

  test('is not called awake for whoever waited until it was closed', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    await asleep({ room, hands });
    const order = { entry: await room.entry(hands, 'worker'), argv: ['test'] };
    let goOn = () => {};
    const late = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const other = { ...(await room.hands()), wait: () => late };
    let second: ReturnType<typeof wakeSession> | null = null;
    const onStep = (name: string, when: string) => {
      if (name === 'settle' && when === 'before') second = wakeSession(other, order);
    };
    expect(await wakeSession({ ...hands, onStep }, order)).toMatchObject({ state: 'woken' });
    await speaks({ room, hands });
    const closed = await room.close(hands, 'worker');
    if (closed.state !== 'closed') throw new Error(JSON.stringify(closed));
    goOn();
    const { receipt } = closed.receipt;
    expect(await second).toEqual({ state: 'sleeper-gone', receipt, text: 'its session is gone' });
  });

  test('keeps other panes as they are', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves', SHELL);
    await room.tmux.tmux('split-window', '-d', '-t', '=worker:', `sh -c '${SHELL.replaceAll("'", `'\\''`)}'`);
    const [, other] = (await panes(room, '#{pane_pid}')).split('\n');
    await until(
      'the other pane is at its prompt',
      () => room.entry(hands, 'worker'),
      ({ panes }) => panes[1]?.activity === 'none',
    );
    const layout = await room.tmux.tmux('display-message', '-p', '-t', '=worker:', '#{window_layout}');
    await asleep({ room, hands });
    expect((await panes(room, '#{pane_pid}')).split('\n')[1]).toBe(other);
    expect(await room.tmux.tmux('display-message', '-p', '-t', '=worker:', '#{window_layout}')).toBe(layout);
    expect(await wake({ room, hands })).toMatchObject({ state: 'woken' });
    expect((await panes(room, '#{pane_pid}')).split('\n')[1]).toBe(other);
    expect(lives(Number(other))).toBe(true);
  });

  test('is made again from its receipt where its server ended', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    const receipt = await asleep({ room, hands });
    await room.tmux.killServer();
    const again = await until(
      'it is made again',
      () => reopen({ room, hands }, 'worker'),
      ({ state }) => state === 'reopened',
    );
    expect(again).toMatchObject({ receipt });
    await until(
      'the agent speaks',
      () => room.entry(hands, 'worker'),
      (one) => one.agent?.conversation === 'talk-worker' && one.activity === 'idle',
    );
    // By this the room knows the new server, and ends it.
    await room.tmux.session('stays');
  });

  test('is closed with its conversation, and comes back with it', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    await asleep({ room, hands });
    const result = await room.close(hands, 'worker');
    expect(result).toMatchObject({ state: 'closed' });
    expect(entriesOf(hands).findLast(({ kind }) => kind === 'receipt')).toMatchObject({
      action: 'close',
      body: { agent: { conversation: 'talk-worker' } },
    });
    const again = await reopen({ room, hands }, 'worker');
    expect(again).toMatchObject({ state: 'reopened', reopening: { agent: { conversation: 'talk-worker' } } });
  });

  test('is not closed by itself, however long it sleeps', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    await asleep({ room, hands });
    expect(await room.close(hands, 'worker', { isAutomatic: true })).toMatchObject({ state: 'refused' });
    expect(await room.names()).toContain('worker');
  });

  test('sleeps on where its program ends at once, and says why', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const receipt = await asleep({ room, hands });
    const { key } = await room.entry(hands, 'worker');
    room.agents.breaks();
    expect(await wake({ room, hands: seeingItsEnd(hands) })).toMatchObject({ state: 'sleeps-on' });
    expect(await room.entry(hands, 'worker')).toMatchObject({ key, activity: 'asleep' });
    await until(
      'it says why',
      () => screen(room),
      (text) => text.includes('did not wake'),
    );
    room.agents.mend();
    expect(await wake({ room, hands })).toMatchObject({ state: 'woken', receipt });
  });

  test('is woken also where its sleeper has ended', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    await asleep({ room, hands });
    const { panes: seen } = await room.entry(hands, 'worker');
    process.kill(seen[0]?.pid ?? 0, 'SIGKILL');
    await until(
      'its pane is dead',
      () => room.entry(hands, 'worker'),
      ({ panes }) => panes[0]?.isDead === true,
    );
    expect(await room.entry(hands, 'worker')).toMatchObject({ activity: 'asleep' });
    expect(await wake({ room, hands })).toMatchObject({ state: 'woken' });
  });

  test('is left alone where somebody uses its pane', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const receipt = await asleep({ room, hands });
    await room.tmux.tmux('respawn-pane', '-k', '-t', '=worker:', 'sleep 1000');
    await until(
      'it is used',
      () => room.entry(hands, 'worker'),
      ({ activity }) => activity === 'working',
    );
    expect(await wake({ room, hands })).toMatchObject({ state: 'sleeper-gone', receipt });
    expect(await room.entry(hands, 'worker')).toMatchObject({ activity: 'working' });
    // Its agent is started beside what is there now.
    expect(await reopen({ room, hands }, receipt)).toMatchObject({ state: 'reopened', name: 'worker-2' });
  });

  test('S72: is not called gone, and not started beside itself, while its server gives no answer', async ({
    staying: room,
    hands,
  }) => {
    await room.agent('worker', 'leaves');
    const receipt = await asleep({ room, hands });
    const entry = await room.entry(hands, 'worker');
    process.kill(room.tmux.serverPid, 'SIGSTOP');
    const text = `its tmux server (pid ${room.tmux.serverPid}) does not answer`;
    expect(await wakeSession(hands, { entry, argv: ['test'] })).toMatchObject({ state: 'failed', text });
    expect(await reopen({ room, hands }, receipt)).toMatchObject({
      state: 'lives',
      entry: { name: 'worker' },
    });
    process.kill(room.tmux.serverPid, 'SIGCONT');
    expect(await wake({ room, hands })).toMatchObject({ state: 'woken' });
  });

  test('is not woken while its conversation goes on elsewhere', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    await asleep({ room, hands });
    const [program = '', manner = '', conversation = ''] = room.agents.argv('worker', 'leaves');
    await room.tmux.session('other', program, manner, conversation, room.agents.file('other'));
    await until(
      'the other one speaks',
      () => room.entry(hands, 'other'),
      ({ agent }) => agent?.conversation === 'talk-worker',
    );
    expect(await wake({ room, hands })).toMatchObject({ state: 'lives', entry: { name: 'other' } });
    expect(await room.entry(hands, 'worker')).toMatchObject({ activity: 'asleep' });
  });
});

describe.concurrent('an agent that may not sleep', () => {
  test('stays where a draft, a turn or another agent speaks against it', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    await room.agents.say('worker', 'working');
    expect(await hibernate({ room, hands })).toMatchObject({ state: 'refused' });
    await room.agents.say('worker', 'idle');
    await room.tmux.tmux('split-window', '-d', '-t', '=worker:', ...room.agents.argv('second', 'leaves'));
    const second = await room.agents.pid('second');
    await until(
      'both rest',
      () => room.entry(hands, 'worker'),
      ({ panes }) => panes.length === 2 && panes.every(({ activity }) => activity === 'idle'),
    );
    expect(await hibernate({ room, hands })).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('several agents'),
    });
    expect(lives(second)).toBe(true);
    expect(receiptsIn(hands)).toEqual([]);
  });

  test('stays, and its pane goes with it as before, where it does not leave', async ({
    staying: room,
    hands,
  }) => {
    const { pid } = await room.agent('worker', 'done+deaf');
    expect(await hibernate({ room, hands })).toMatchObject({ state: 'failed' });
    expect(lives(pid)).toBe(true);
    expect(await room.tmux.tmux('show-options', '-p', '-t', '=worker:', 'remain-on-exit')).toBe('');
  });
});

function memoryOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? Number.NaN) * 1024;
}
