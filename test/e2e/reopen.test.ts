import { mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { findReceipt } from '../../src/core/close/find-receipt.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import type { ReopenOrder, ReopenResult } from '../../src/engine/act/reopen/order.ts';
import { reopenSession } from '../../src/engine/act/reopen/reopen-session.ts';
import { run } from '../../src/engine/act/run.ts';
import { entriesOf, factsIn } from '../engine/act/acting-room.ts';
import type { ClosingRoom } from '../engine/act/closing-room.ts';
import { lives, outcomesIn, SHELL } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { until } from '../support/until.ts';

interface Scene {
  readonly room: ClosingRoom;
  readonly hands: Hands;
}

function reopen(
  { room, hands }: Scene,
  word: string,
  over: Partial<ReopenOrder> = {},
  by = hands,
): Promise<ReopenResult> {
  const found = findReceipt(entriesOf(hands), word);
  if (found.state !== 'one') throw new Error(JSON.stringify(found));
  return reopenSession(by, {
    ...{ closed: found.closed, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
    ...{ shell: '/bin/sh', argv: ['test'], ...over },
  });
}

function reopened(result: ReopenResult) {
  if (result.state !== 'reopened') throw new Error(JSON.stringify(result));
  return result;
}

async function closed({ room, hands }: Scene): Promise<string> {
  const result = await room.close(hands, 'worker');
  if (result.state !== 'closed') throw new Error(JSON.stringify(result));
  return String(result.receipt.receipt);
}

const panes = ({ tmux }: ClosingRoom, name: string) =>
  tmux.tmux(
    'list-panes',
    '-s',
    '-t',
    `=${name}`,
    '-F',
    '#{window_index} #{window_name} #{pane_current_path}',
  );

describe.concurrent('a session that was closed', () => {
  test('comes back with its agent, its conversation and its claims', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const { key, name } = await room.entry(hands, 'worker');
    hands.ledger.append({
      kind: 'declared',
      action: 'claim',
      session: { key, name },
      body: { claims: { task: 'T-9' } },
    });
    const receipt = await closed({ room, hands });
    const result = reopened(await reopen({ room, hands }, receipt));
    expect(result).toMatchObject({ name: 'worker', receipt, missing: [] });
    const entry = await until(
      'the agent speaks',
      () => room.entry(hands, 'worker'),
      (one) => one.agent?.conversation === 'talk-worker' && one.activity === 'idle',
    );
    expect(entry.key).toBe(result.key);
    expect(factsIn(hands).get(result.key)).toMatchObject({
      origin: { how: 'reopened' },
      claims: { task: 'T-9' },
    });
    expect(factsIn(hands).get(key)?.reopened?.key).toBe(result.key);
    // And again: it is under care now, and closes and comes back as before.
    expect(reopened(await reopen({ room, hands }, await closed({ room, hands }))).name).toBe('worker');
    expect(hands.ledger.verify().damage).toBeNull();
  });

  test('comes back with windows, panes and folders as they were, and what its panes ran of their own', async ({
    staying: room,
    hands,
  }) => {
    const [side, other] = ['side', 'other'].map((name) => join(room.tmux.folder, name)) as [string, string];
    for (const folder of [side, other]) mkdirSync(folder);
    await room.agent('worker', 'leaves', SHELL);
    await room.tmux.tmux('rename-window', '-t', '=worker:0', 'main');
    await room.tmux.tmux('split-window', '-d', '-h', '-t', '=worker:0', '-c', side, SHELL);
    await room.tmux.tmux('new-window', '-d', '-t', '=worker:3', '-n', 'build', '-c', other, 'sleep 1000');
    // A program that was just started is in its folder a moment later.
    const before = await until(
      'all are in their folders',
      () => panes(room, 'worker'),
      (all) => all.includes(side) && all.includes(other),
    );
    await until(
      'their programs run',
      () => room.tmux.tmux('list-panes', '-s', '-t', '=worker', '-F', '#{pane_current_command}'),
      (running) => running.includes('bash') && running.includes('sleep'),
    );
    const result = await room.close(hands, 'worker', { isForced: true });
    expect(result.state).toBe('closed');
    const { missing } = reopened(await reopen({ room, hands }, 'worker'));
    expect(missing).toEqual([]);
    await until(
      'all are where they were',
      () => panes(room, 'worker'),
      (all) => all === before,
    );
    await until(
      'its command runs again',
      () => room.tmux.tmux('list-panes', '-s', '-t', '=worker', '-F', '#{pane_current_command}'),
      (running) => running.includes('sleep'),
    );
  });

  test('is refused where it lives: reopened before, or its conversation elsewhere', async ({
    staying: room,
    hands,
  }) => {
    await room.agent('worker', 'leaves');
    const receipt = await closed({ room, hands });
    reopened(await reopen({ room, hands }, receipt));
    expect(await reopen({ room, hands }, receipt)).toMatchObject({
      state: 'lives',
      text: 'it was reopened before',
    });
    await rests({ room, hands });
    const again = await closed({ room, hands });
    await room.tmux.session('elsewhere', ...room.agents.argv('elsewhere', 'leaves', 'talk-worker'));
    await room.agents.pid('elsewhere');
    expect(await reopen({ room, hands }, again)).toMatchObject({
      state: 'lives',
      entry: { name: 'elsewhere' },
    });
    expect(await room.names()).toEqual(['elsewhere', 'stays']);
  });

  test('opens panes whose folder is gone in its own one, and is not made without that', async ({
    staying: room,
    hands,
  }) => {
    const folder = join(room.tmux.folder, 'side');
    mkdirSync(folder);
    await room.agent('worker', 'leaves', SHELL);
    await room.tmux.tmux('split-window', '-d', '-t', '=worker:', '-c', folder, SHELL);
    await until(
      'the other pane is at its prompt',
      () => room.entry(hands, 'worker'),
      ({ panes: [, other] }) => other?.activity === 'none',
    );
    const receipt = await closed({ room, hands });
    rmdirSync(folder);
    const own = { ...hands, isFolder: (path: string) => path === folder };
    expect(await reopen({ room, hands: own }, receipt)).toEqual({
      ...{ state: 'folders-missing', folders: [room.tmux.folder], offers: [] },
    });
    expect(await room.names()).toEqual(['stays']);
    const { missing } = reopened(await reopen({ room, hands }, receipt));
    expect(missing.join()).toContain(`its folder is gone (${folder}), so it opens in ${room.tmux.folder}`);
    expect((await room.tmux.tmux('list-panes', '-t', '=worker:')).split('\n')).toHaveLength(2);
  });

  test('does not take the name of another, unless it may add a number', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const receipt = await closed({ room, hands });
    await room.tmux.session('worker');
    expect(await reopen({ room, hands }, receipt)).toEqual({ state: 'name-taken', name: 'worker' });
    expect(reopened(await reopen({ room, hands }, receipt, { onCollision: 'suffix' })).name).toBe('worker-2');
  });

  test('is made once, by however many', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const receipt = await closed({ room, hands });
    const results = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map(async (name) =>
        reopen({ room, hands }, receipt, { name }, await room.hands()),
      ),
    );
    const states = results.map(({ state }) => state);
    expect(states.filter((state) => state === 'reopened')).toHaveLength(1);
    expect(
      states.filter((state) => state !== 'reopened').every((state) => state === 'busy' || state === 'lives'),
    ).toBe(true);
    expect(outcomesIn(hands, 'reopen')).toEqual(['done']);
  });
});

/** Waits until the agent that was started again is at its prompt. */
async function rests({ room, hands }: Scene): Promise<void> {
  await until(
    'it rests',
    () => room.entry(hands, 'worker'),
    ({ agent, lifecycle }) =>
      agent?.conversation === 'talk-worker' && (lifecycle === 'stale' || lifecycle === 'safe-to-close'),
  );
}

/** Two receipts of one conversation: closed, reopened, and closed again. */
async function closedTwice(scene: Scene): Promise<[string, string]> {
  await scene.room.agent('worker', 'leaves');
  const first = await closed(scene);
  reopened(await reopen(scene, first));
  await rests(scene);
  return [first, await closed(scene)];
}

const LOCK = { name: 'conversation', project: 'scripted:talk-worker' };
const ELSEWHERE = { state: 'lives', text: 'its conversation goes on in another session' };

describe.concurrent('a conversation that several receipts have', () => {
  test('is brought back once, by however many at the same time', async ({ staying: room, hands }) => {
    const receipts = await closedTwice({ room, hands });
    const results = await Promise.all(
      receipts.map(async (receipt, index) =>
        reopen({ room, hands }, receipt, { name: `by-${index}` }, await room.hands()),
      ),
    );
    const [made, ...more] = results.filter(({ state }) => state === 'reopened').map(reopened);
    expect(more).toEqual([]);
    // On a machine that has much to do the other one may wait too long.
    const refused = results.find(({ state }) => state !== 'reopened');
    if (refused?.state !== 'busy') expect(refused).toMatchObject({ ...ELSEWHERE, entry: { key: made?.key } });
    expect(await room.names()).toEqual([made?.name, 'stays']);
    expect(outcomesIn(hands, 'reopen')).toEqual(['done', 'done']);
  });

  test('is not brought back beside an agent that has not said yet what it talks about', async ({
    staying: room,
    hands,
  }) => {
    const [first, second] = await closedTwice({ room, hands });
    reopened(await reopen({ room, hands }, first));
    // What the one before it said is still there.
    await until('it has spoken', () => room.agents.pid('worker'), lives);
    rmSync(room.agents.file('worker'));
    const { agent } = await room.entry(await room.hands(), 'worker');
    expect(agent?.conversation ?? null).toBeNull();
    expect(await reopen({ room, hands }, second, { name: 'other' }, await room.hands())).toMatchObject({
      ...ELSEWHERE,
      entry: { name: 'worker' },
    });
  });

  test('waits for whoever is at it, and is told then where it lives', async ({ staying: room, hands }) => {
    const [first, second] = await closedTwice({ room, hands });
    const taken = hands.locks.tryLock(LOCK, { task: 'reopen', argv: [] });
    if (taken.state !== 'held') throw new Error(taken.state);
    let isMade = false;
    const own = await room.hands();
    const patient: Hands = {
      ...own,
      async wait(ms) {
        if (isMade) return own.wait(ms);
        isMade = true;
        taken.hold.release();
        reopened(await reopen({ room, hands }, first));
      },
    };
    expect(await reopen({ room, hands }, second, { name: 'other' }, patient)).toMatchObject({
      ...ELSEWHERE,
      entry: { name: 'worker' },
    });
    expect(await room.names()).toEqual(['stays', 'worker']);
  });

  test('is told of where whoever is at it takes too long', async ({ staying: room, hands }) => {
    const [, second] = await closedTwice({ room, hands });
    const taken = hands.locks.tryLock(LOCK, { task: 'reopen', argv: [] });
    if (taken.state !== 'held') throw new Error(taken.state);
    let waited = 0;
    const impatient: Hands = {
      ...(await room.hands()),
      moment: () => ({ ...hands.moment(), awakeMs: waited }),
      wait: async () => {
        waited += 60_000;
      },
    };
    expect(await reopen({ room, hands }, second, {}, impatient)).toMatchObject({ state: 'busy', by: LOCK });
    expect(await room.names()).toEqual(['stays']);
    taken.hold.release();
    reopened(await reopen({ room, hands }, second));
  });

  test('is left alone while nobody can tell what came of an earlier try', async ({
    staying: room,
    hands,
  }) => {
    const [first, second] = await closedTwice({ room, hands });
    const { socketPath } = room.tmux;
    let isAsked = false;
    const mute: Hands = {
      ...hands,
      tmux: {
        ...hands.tmux,
        startSession: async (...wish) => {
          await hands.tmux.startSession(...wish);
          isAsked = true;
          return { state: 'failed', text: 'no answer' };
        },
      },
      look: async (options) => {
        const roll = await hands.look(options);
        const problem = { code: 'server-timeout', text: 'no answer', socketPath };
        return isAsked ? { ...roll, sessions: [], problems: [problem] } : roll;
      },
    };
    expect(await reopen({ room, hands }, first, {}, mute)).toMatchObject({ state: 'failed' });
    expect(await reopen({ room, hands }, second, { name: 'other' }, mute)).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('what came of that is not known'),
    });
    await recoverAll(hands);
    expect(await reopen({ room, hands }, second, { name: 'other' })).toMatchObject(ELSEWHERE);
    expect(await room.names()).toEqual(['stays', 'worker']);
  });
});

describe.concurrent('a session that rollcall started and that is lost', () => {
  test('is made again from what it was started with', async ({ staying: room, hands }) => {
    const argv = ['sleep', '1000'];
    const ran = await run(hands, room.wish({ argv, claims: { task: 'T-1' }, env: { SECRET: 'x' } }));
    if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
    const pid = ran.entry?.panes[0]?.pid ?? 0;
    await room.tmux.tmux('kill-session', '-t', '=worker');
    await until('gone', () => !lives(pid));
    const result = reopened(await reopen({ room, hands }, 'worker'));
    expect(result.missing).toEqual(['only its first pane is known, by how it was started']);
    const again = Number(await room.tmux.tmux('display-message', '-p', '-t', '=worker:', '#{pane_pid}'));
    expect(again).not.toBe(pid);
    await until('it has its variables', () =>
      readFileSync(`/proc/${again}/environ`, 'utf8').includes('SECRET=x'),
    );
    expect(factsIn(hands).get(result.key)).toMatchObject({
      origin: { how: 'reopened' },
      claims: { task: 'T-1' },
    });
    const { sessions } = await hands.look();
    expect(sessions.map(({ name, lifecycle }) => [name, lifecycle === 'lost'])).toEqual(
      expect.arrayContaining([['worker', false]]),
    );
    expect(sessions.some(({ lifecycle }) => lifecycle === 'lost')).toBe(false);
  });

  test('S63: is not made again beside an agent that outlived its session', async ({
    staying: room,
    hands,
  }) => {
    const argv = room.agents.argv('worker', 'clings', 'talk-clings');
    const ran = await run(hands, room.wish({ argv, agent: { kind: 'scripted', conversation: null } }));
    if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
    const pid = await room.agents.pid('worker');
    await room.tmux.tmux('kill-session', '-t', '=worker');
    await until(
      'it is lost',
      () => hands.look(),
      ({ sessions }) => sessions.some(({ name, lifecycle }) => name === 'worker' && lifecycle === 'lost'),
    );
    expect(await reopen({ room, hands }, 'worker')).toEqual({
      state: 'outlived',
      kind: 'scripted',
      pids: [pid],
    });
    process.kill(pid, 'SIGKILL');
    await until('gone', () => !lives(pid));
    expect(await reopen({ room, hands }, 'worker')).toMatchObject({ state: 'reopened' });
  });

  test('is not made in a container while it may live outside of it', async ({ staying: room, hands }) => {
    const { pidNamespace } = (await hands.look()).host;
    const outer = '4026531836';
    const ran = await run(hands, room.wish());
    if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
    await room.tmux.tmux('kill-session', '-t', '=worker');
    const look = async () => {
      const roll = await hands.look();
      return { ...roll, host: { ...roll.host, pidNamespace: '7' } };
    };
    const inside = await room.hands({ look });
    const result = await reopen({ room, hands: inside }, 'worker');
    // Where the tests run in a container themselves, it may be the one before.
    if (pidNamespace !== outer) return expect(result).toMatchObject({ state: 'reopened' });
    expect(result).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('outside of this container'),
    });
    expect(await room.names()).toEqual(['stays']);
    expect(await reopen({ room, hands }, 'worker')).toMatchObject({ state: 'reopened' });
  });

  test('is not made again by its words where an agent ran behind another program', async ({
    staying: room,
    hands,
  }) => {
    const argv = ['env', 'K=1', ...room.agents.argv('worker', 'leaves')];
    const ran = await run(hands, room.wish({ argv }));
    if (ran.state !== 'started') throw new Error(JSON.stringify(ran));
    const pid = await room.agents.pid('worker');
    await room.tmux.tmux('kill-session', '-t', '=worker');
    await until('gone', () => !lives(pid));
    expect(await reopen({ room, hands }, 'worker')).toMatchObject({
      state: 'not-kept',
      text: expect.stringMatching(
        /^scripted may have run behind another program.*start it by hand: rollcall run -- env K=1 /,
      ),
    });
    expect(await room.names()).toEqual(['stays']);
  });
});
