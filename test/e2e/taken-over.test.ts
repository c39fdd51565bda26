import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Hands } from '../../src/engine/act/hands.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { type ClosingRoom, lives, outcomesIn, receiptsIn } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { sliceOf } from '../support/slice.ts';
import { until } from '../support/until.ts';
import { agentsIn, paneSettings, startWorker } from './comes-back.ts';
import { asleep, hibernate, panes, screen, wake } from './sleep-scene.ts';

/** A copy takes the place of the state folder, as when somebody puts back a backup. */
function putBack({ state }: ClosingRoom): void {
  const folder = join(state, 'rollcall');
  // Not cpSync: that of Node 22 lets others into the folders.
  execFileSync('cp', ['-a', folder, `${folder}.new`]);
  renameSync(folder, `${folder}.old`);
  renameSync(`${folder}.new`, folder);
  chmodSync(folder, 0o700);
}

function removeLocks({ state }: ClosingRoom): void {
  const locks = join(state, 'rollcall', 'locks');
  for (const name of readdirSync(locks)) if (name.includes('.session.')) rmSync(join(locks, name));
}

/** Somebody else records how a deed ended that is on its way. */
function tells(other: Hands): void {
  for (const { action, session, sequence } of other.ledger.facts().folded.openIntents.values()) {
    const body = { result: 'interrupted' };
    other.ledger.append({ kind: 'outcome', action, session, cause: sequence, body });
  }
}

const WAYS: Readonly<Record<string, (room: ClosingRoom, other: Hands) => void>> = {
  'put back and closed': (room, other) => {
    putBack(room);
    tells(other);
  },
  'put back': putBack,
  unlocked: removeLocks,
  closed: (_, other) => tells(other),
};

type Moment = readonly ['before' | 'after', string];

/** Hands of a deed to which that happens at one of its steps. Tells which of them were done. */
async function taken(room: ClosingRoom, how: string, [when, step]: Moment) {
  const other = await room.hands();
  const done: string[] = [];
  let isTaken = false;
  const onStep: Hands['onStep'] = (name, at) => {
    if (at === 'after') done.push(name);
    if (isTaken || name !== step || at !== when) return;
    isTaken = true;
    WAYS[how]?.(room, other);
  };
  return { hands: await room.hands({ onStep }), other, done };
}

// Where the ledger was taken away and nobody has told anything yet, what was not done cannot be recorded.
const stoppedBy = (how: string) =>
  how === 'put back' ? { state: 'unrecorded' } : { state: 'aborted', text: expect.stringMatching(NOT_DONE) };

const each = (moments: readonly Moment[]) =>
  sliceOf(
    Object.keys(WAYS).flatMap((how) => moments.map((moment) => [how, moment] as const)),
    2,
  );

const NOT_DONE = /its intent was closed by somebody else|its lock was removed or replaced/;

describe.concurrent('a close that others went on without', () => {
  test.for(
    each([
      ['before', 'type'],
      ['before', 'terminate'],
    ]),
  )('leaves the agent (%s, %s)', async ([how, moment], { staying: room }) => {
    const { pid } = await room.agent('worker', 'done');
    const { hands, done } = await taken(room, how, moment);
    expect(await room.close(hands, 'worker')).toMatchObject(stoppedBy(how));
    expect([lives(pid), await room.names()]).toEqual([true, ['stays', 'worker']]);
    expect(done).not.toContain(moment[1]);
  });

  test.for(
    each([
      ['after', 'type'],
      ['before', 'enter'],
    ]),
  )('takes back what it typed (%s, %s)', async ([how, moment], { staying: room }) => {
    const { pid } = await room.agent('worker', 'done');
    const { hands, done } = await taken(room, how, moment);
    expect(await room.close(hands, 'worker')).toMatchObject(stoppedBy(how));
    expect([lives(pid), done.includes('enter')]).toEqual([true, false]);
    expect(await screen(room)).not.toContain('/exit');
  });

  test.for(each([['before', 'remove']]))(
    'leaves the session (%s, %s)',
    async ([how, moment], { staying: room }) => {
      await room.tmux.tmux('set-option', '-g', 'remain-on-exit', 'on');
      await room.agent('worker', 'leaves');
      const { hands, other } = await taken(room, how, moment);
      expect(await room.close(hands, 'worker')).toMatchObject(stoppedBy(how));
      expect(await room.names()).toEqual(['stays', 'worker']);
      // Of what it did until then there is a receipt, unless somebody else has told how it ended.
      expect(receiptsIn(other)).toHaveLength(how === 'unlocked' ? 1 : 0);
      expect(outcomesIn(other)).toEqual(
        how === 'put back' ? [] : [how === 'unlocked' ? 'aborted' : 'interrupted'],
      );
    },
  );

  test('leaves what the session left running', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves+helper');
    const helper = await until('its helper is seen', async () =>
      (await room.entry(hands, 'worker')).evidence
        .flatMap((one) => (one.kind === 'processes' ? one.processes : []))
        .find((note) => note.pid !== pid && note.program === 'mcp-server-files'),
    );
    const { hands: closer } = await taken(room, 'closed', ['before', 'sweep']);
    expect(await room.close(closer, 'worker')).toMatchObject({
      state: 'unrecorded',
      isGone: true,
      text: expect.stringMatching(NOT_DONE),
    });
    expect(lives(helper?.pid ?? 0)).toBe(true);
  });

  test('does nothing after a recovery from a copy of its state folder', async ({ staying: room }) => {
    const pid = await startWorker({ room, hands: await room.hands() }, 'done');
    const closer = await room.hands();
    let stances = 0;
    let other = closer;
    // It stands still after its intent, before its first act.
    const stance: Hands['tmux']['stance'] = async (session) => {
      stances += 1;
      if (stances === 2) {
        putBack(room);
        other = await room.hands();
        expect(await recoverAll(other)).toMatchObject([{ body: { result: 'interrupted' } }]);
      }
      return closer.tmux.stance(session);
    };
    const result = await room.close({ ...closer, tmux: { ...closer.tmux, stance } }, 'worker');
    expect(result).toMatchObject({ state: 'aborted', text: expect.stringMatching(NOT_DONE) });
    await recoverAll(other);
    expect([lives(pid), await room.names(), receiptsIn(other)]).toEqual([true, ['stays', 'worker'], []]);
  });
});

describe.concurrent('a hibernation that others went on without', () => {
  test.for(each([['before', 'hold-pane']]))(
    'leaves the pane (%s, %s)',
    async ([how, moment], { staying: room }) => {
      const { pid } = await room.agent('worker', 'leaves');
      const before = await paneSettings(room);
      const { hands } = await taken(room, how, moment);
      expect(await hibernate({ room, hands })).toMatchObject({
        state: 'aborted',
        text: expect.stringMatching(NOT_DONE),
      });
      expect([lives(pid), await paneSettings(room)]).toEqual([true, before]);
    },
  );

  test.for(each([['before', 'type']]))(
    'leaves its release to whoever told how it ended (%s, %s)',
    async ([how, moment], { staying: room }) => {
      const { pid } = await room.agent('worker', 'leaves');
      const before = await paneSettings(room);
      const { hands } = await taken(room, how, moment);
      expect(await hibernate({ room, hands })).toMatchObject(stoppedBy(how));
      const isReleased = (await paneSettings(room)) === before;
      expect([lives(pid), isReleased]).toEqual([true, !how.endsWith('closed')]);
    },
  );

  test.for(each([['before', 'sleep']]))(
    'puts nothing into it (%s, %s)',
    async ([how, moment], { staying: room }) => {
      const { pid } = await room.agent('worker', 'leaves');
      const { hands } = await taken(room, how, moment);
      expect(await hibernate({ room, hands })).toMatchObject(stoppedBy(how));
      expect(await panes(room, '#{pane_dead} #{pane_pid}')).toBe(`1 ${pid}`);
    },
  );
});

test.for(
  each([
    ['before', 'keep'],
    ['before', 'start'],
  ]),
)(
  'a waking that others went on without starts nothing (%s, %s)',
  async ([how, moment], { staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    await asleep({ room, hands });
    const pid = await panes(room, '#{pane_pid}');
    const { hands: waker } = await taken(room, how, moment);
    expect(await wake({ room, hands: waker })).toMatchObject({
      state: 'failed',
      text: expect.stringMatching(NOT_DONE),
    });
    expect([await panes(room, '#{pane_pid}'), agentsIn(room)]).toEqual([pid, []]);
  },
);
