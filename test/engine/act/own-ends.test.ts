import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeSession } from '../../../src/engine/act/close/close-session.ts';
import { declare } from '../../../src/engine/act/declare.ts';
import { adopt, hold, retain } from '../../../src/engine/act/declare-standing.ts';
import { recordEnds } from '../../../src/engine/act/ends/record-ends.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { recoverAll } from '../../../src/engine/act/recover.ts';
import { reopenSession } from '../../../src/engine/act/reopen/reopen-session.ts';
import { closedAs } from '../../../src/engine/act/reopen/trouble.ts';
import { run } from '../../../src/engine/act/run.ts';
import { isTrouble } from '../../../src/engine/act/trouble.ts';
import { until } from '../../support/until.ts';
import { ActingRoom, entriesOf, factsIn } from './acting-room.ts';
import { SHORT } from './closing-room.ts';

let room: ActingRoom;
let hands: Hands;
beforeEach(async () => {
  room = new ActingRoom();
  hands = await room.hands();
  await room.tmux.session('other');
});
afterEach(() => room.leave());

const go = () => join(room.tmux.folder, 'go');

/** A session whose program ends as it is told to. */
async function worker(status = 0): Promise<string> {
  const script = `while [ ! -e ${go()} ]; do sleep 0.05; done; exit ${status}`;
  const ran = await run(hands, room.wish({ argv: ['sh', '-c', script] }));
  if (ran.state !== 'started') throw new Error(ran.state);
  return ran.key;
}

/** Until tmux answers so. */
const tells = (what: string, isIt: (answer: string) => boolean, ...command: string[]) =>
  until(what, async () => isIt(await room.tmux.tmux(...command)));
const isGone = () =>
  tells('it is gone', (names) => !names.includes('worker'), 'list-sessions', '-F', '#{session_name}');
const end = () => writeFileSync(go(), '');
const seen = async (key: string) =>
  (await hands.look({ isWithClosed: true })).sessions.find((one) => one.key === key);
const receipts = () => entriesOf(hands).filter(({ kind }) => kind === 'receipt');

describe('S58: the end of a program is not taken for the end of its session', () => {
  it('where another program was started in its pane', async () => {
    const key = await worker();
    await room.tmux.tmux('respawn-pane', '-k', '-t', '=worker:', 'exit 0');
    await isGone();
    expect(await seen(key)).toMatchObject({
      lifecycle: 'lost',
      reasons: [{ text: expect.stringContaining('another program in its pane ended with status 0') }],
    });
    expect(await recordEnds(hands)).toEqual([]);
    expect(receipts()).toEqual([]);
  });

  it.each([
    ['live', 'sleep 1000', '0'],
    ['end', 'exit 3', '1'],
  ])(
    'where a look saw something else %s in it since, at this look and at later ones',
    async (_, next, isDead) => {
      const key = await worker();
      await room.tmux.tmux('set-option', '-w', '-t', '=worker:', 'remain-on-exit', 'on');
      end();
      const dead = ['display-message', '-p', '-t', '=worker:', '#{pane_dead}'];
      await tells('its end is written down', () => hands.ends.all().length === 1, ...dead);
      await room.tmux.tmux('respawn-pane', '-k', '-t', '=worker:', next);
      await tells('it is as it is to be seen', (answer) => answer === isDead, ...dead);
      await hands.look();
      await room.tmux.tmux('kill-session', '-t', '=worker');
      for (const _ of [1, 2]) expect(await seen(key)).toMatchObject({ lifecycle: 'lost' });
      expect(await recordEnds(hands)).toEqual([]);
      expect(receipts()).toEqual([]);
    },
  );

  it('by a completion that it was seen to work after', async () => {
    const key = await worker(9);
    await declare(hands, 'complete', { key, name: 'worker' }, () => ({ outcome: 'done' }));
    const at = factsIn(hands).get(key)?.completion?.at ?? 0;
    expect(at).toBeGreaterThan(0);
    await until('its turn is over for long', () => hands.now() > at + 2500);
    await hands.look();
    end();
    await isGone();
    for (const _ of [1, 2]) expect(await seen(key)).toMatchObject({ lifecycle: 'stale' });
    expect(await recordEnds(hands)).toMatchObject([{ isFinished: false }]);
    expect(factsIn(hands).get(key)).toMatchObject({ ended: { isOvertaken: true }, closed: null });
    expect(await seen(key)).toMatchObject({ lifecycle: 'stale' });
  });
});

describe('a session whose pane was moved into another one', () => {
  it('is neither lost nor reopened, and its hold counts there', async () => {
    const key = await worker();
    await hold(hands, await room.entry(hands, 'worker'), 'precious');
    await room.tmux.tmux('join-pane', '-d', '-s', '=worker:', '-t', '=other:');
    expect(await seen(key)).toBeUndefined();
    expect((await hands.look()).problems).toMatchObject([
      { code: 'session-moved', text: expect.stringMatching(/^session 'worker' .+: session 'other'$/) },
    ]);
    expect((await room.entry(hands, 'other')).protections).toContainEqual({
      code: 'held',
      text: expect.stringMatching(/is that of session worker: held .+: precious$/),
    });
    const closed = closedAs(entriesOf(hands), 'worker');
    if (isTrouble(closed)) throw new Error(closed.text);
    const again = await reopenSession(hands, {
      ...{ closed, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
      ...{ shell: '/bin/sh', argv: ['test'] },
    });
    expect(again).toMatchObject({ state: 'lives', entry: { name: 'other' } });
    end();
    await tells('its pane is gone', (panes) => !panes.includes('\n'), 'list-panes', '-t', '=other:');
    expect(await seen(key)).toMatchObject({
      lifecycle: 'lost',
      reasons: [{ text: expect.stringContaining('in another session') }],
    });
    expect((await room.entry(hands, 'other')).protections.map(({ code }) => code)).not.toContain('held');
  });
});

describe('what was declared of panes that rollcall did not start', () => {
  it('protects the session that they were moved into', async () => {
    await worker();
    await room.tmux.session('mine');
    await adopt(hands, await room.entry(hands, 'mine'), {});
    await hold(hands, await room.entry(hands, 'mine'), 'precious');
    await room.tmux.tmux('join-pane', '-d', '-s', '=mine:', '-t', '=worker:');
    const held = async () =>
      (await room.entry(hands, 'worker')).protections.filter(({ code }) => code === 'held');
    expect(await held()).toMatchObject([{ text: expect.stringContaining('is that of session mine') }]);
    await declare(hands, 'unhold', keyed('mine'), () => ({}));
    expect(await held()).toEqual([]);
    await retain(hands, await room.entry(hands, 'other'), { forMs: 3_600_000, reason: null });
    await room.tmux.tmux('join-pane', '-d', '-s', '=other:', '-t', '=worker:');
    expect(await held()).toMatchObject([{ text: expect.stringContaining('is that of session other') }]);
  });

  const keyed = (name: string) => {
    const known = [...factsIn(hands).values()].find((one) => one.name === name);
    return { key: known?.key ?? '', name };
  };
});

describe('a session that was reopened, and whose pane was moved into another one', () => {
  const reopen = (changes: Partial<Hands> = {}) => {
    const closed = closedAs(entriesOf(hands), 'worker');
    if (isTrouble(closed)) throw new Error(closed.text);
    return reopenSession(
      { ...hands, ...changes },
      {
        ...{ closed, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
        ...{ shell: '/bin/sh', argv: ['test'] },
      },
    );
  };
  const move = () => room.tmux.tmux('join-pane', '-d', '-s', '=worker:', '-t', '=other:');
  const lose = async () => {
    await worker();
    await room.tmux.tmux('kill-session', '-t', '=worker');
  };

  it('is not started a second time', async () => {
    await lose();
    expect(await reopen()).toMatchObject({ state: 'reopened' });
    await move();
    expect(await reopen()).toMatchObject({ state: 'lives', entry: { name: 'other' } });
    end();
    await tells('its pane is gone', (panes) => !panes.includes('\n'), 'list-panes', '-t', '=other:');
    expect((await reopen()).state).not.toBe('lives');
  });

  it('nor where the reopening was cut short before', async () => {
    await lose();
    const onStep: Hands['onStep'] = (step, when) => {
      if (step === 'lay-out' && when === 'before') throw new Error('cut short');
    };
    await expect(reopen({ onStep })).rejects.toThrow('cut short');
    await move();
    expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'moved' } }]);
    expect(await reopen()).toMatchObject({ state: 'lives', entry: { name: 'other' } });
  });
});

describe('what holds up an automatic close holds up settling', () => {
  const order = async (key: string, isAutomatic: boolean) => {
    const entry = await seen(key);
    if (entry === undefined) throw new Error('it is not there');
    return closeSession(hands, {
      ...{ entry, reason: null, argv: [], timings: SHORT, onProgress: () => {} },
      wish: { isForced: false, despite: [], isAutomatic },
    });
  };
  const held = async () => {
    const key = await worker();
    await hold(hands, await room.entry(hands, 'worker'), 'mine');
    end();
    await isGone();
    return key;
  };

  it('a held session that ended with 0 is stale until a person closes it', async () => {
    const key = await held();
    expect(await recordEnds(hands)).toMatchObject([{ isFinished: false }]);
    expect(await seen(key)).toMatchObject({ lifecycle: 'stale', reasons: [{ code: 'held' }, {}] });
    expect(await recordEnds(hands)).toEqual([]);
    expect(await order(key, true)).toMatchObject({ state: 'refused', code: 'not-safe' });
    expect(receipts()).toEqual([]);
    expect(await order(key, false)).toMatchObject({ state: 'gone' });
    expect(receipts()).toHaveLength(1);
  });

  it('and settles by itself once nothing holds it up', async () => {
    const key = await held();
    await recordEnds(hands);
    await declare(hands, 'unhold', { key, name: 'worker' }, () => ({}));
    expect(await recordEnds(hands)).toMatchObject([{ session: { key }, isFinished: true }]);
    expect(receipts()).toMatchObject([{ body: { result: 'finished' } }]);
    expect(await recordEnds(hands)).toEqual([]);
  });
});
