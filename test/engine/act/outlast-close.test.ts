import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { EntryKind } from '../../../src/core/ledger/entry.ts';
import type { SessionEntry } from '../../../src/core/sight/roll.ts';
import { cancelCompletion, completeSession } from '../../../src/engine/act/complete.ts';
import { adopt, hold, retain } from '../../../src/engine/act/declare-standing.ts';
import { sessionLock } from '../../../src/engine/act/deed.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { until } from '../../support/until.ts';
import { factsIn } from './acting-room.ts';
import { type ClosingRoom, lives, outcomesIn, receiptsIn, SHORT } from './closing-room.ts';
import { test } from './closing-test.ts';

type Answer = Awaited<ReturnType<typeof hold>>;

describe.concurrent('a session that is to be kept while a close of it is on its way', () => {
  test('who says so when it is being removed keeps it, or is told of the receipt', async ({
    staying: room,
    hands,
  }) => {
    await room.agent('worker', 'leaves');
    await room.tmux.tmux('set-option', '-g', 'remain-on-exit', 'on');
    const entry = await room.entry(hands, 'worker');
    let answer: Promise<Answer> | null = null;
    const closer = await room.hands({
      onStep: (step, when) => {
        if (step === 'remove' && when === 'before') answer = hold(hands, entry, null);
      },
    });
    const { state } = await room.close(closer, entry);
    const [receipt] = receiptsIn(hands);
    // tmux takes one command after the other: the mark of the hold, or the removal.
    expect(await (answer as Promise<Answer> | null)).toMatchObject(
      state === 'closed'
        ? {
            state: 'refused',
            refusal: { exit: 'not-found', text: expect.stringContaining(`just now, receipt ${receipt}`) },
          }
        : { state: 'declared' },
    );
    expect((await room.names()).includes('worker')).toBe(state !== 'closed');
  });

  test('who says so before the next step keeps it, and is told how far the close came', async ({
    staying: room,
    hands,
  }) => {
    const { pid } = await room.agent('worker', 'done');
    const entry = await room.entry(hands, 'worker');
    let answer: Promise<Answer> | null = null;
    const closer = await room.hands({
      onStep: (step, when) => {
        if (step === 'enter' && when === 'after') answer = hold(hands, entry, 'mine');
      },
      // The agent has only so long to leave, and a hold may take longer on a busy machine.
      wait: async (ms) => {
        if (answer !== null) await until('it is held', () => factsIn(hands).get(entry.key)?.held);
        return hands.wait(ms);
      },
    });
    expect(await room.close(closer, entry)).toMatchObject({
      state: 'aborted',
      text: expect.stringMatching(/held.*: mine/),
    });
    expect(await (answer as Promise<Answer> | null)).toMatchObject({
      state: 'declared',
      note: expect.stringMatching(/close of it was on its way and stopped: .*\/exit/),
    });
    expect([lives(pid), outcomesIn(hands)]).toEqual([true, ['aborted']]);
  });

  test('a close that does not end in time is told; one whose process is gone is no close', async ({
    staying: room,
    hands,
  }) => {
    await room.tmux.session('mine');
    const session = await room.entry(hands, 'mine');
    const { key, name } = session;
    hands.ledger.append({ kind: 'intent', action: 'close', session: { key, name }, body: {} });
    const taken = hands.locks.tryLock(sessionLock({ key, name }), { task: 'close', argv: [] });
    let aheadMs = 0;
    const moment = () => {
      aheadMs += 20_000;
      const now = hands.moment();
      return { ...now, awakeMs: now.awakeMs + aheadMs };
    };
    const hasty = await room.hands({ moment });
    expect(await hold(hasty, session, null)).toMatchObject({ state: 'refused', refusal: { exit: 'failed' } });
    if (taken.state === 'held') taken.hold.release();
    expect(await hold(hands, session, null)).toMatchObject({ state: 'already' });
  });

  test('no yes is said while the lock of a close cannot be looked at', async ({ staying: room, hands }) => {
    await room.tmux.session('mine');
    const session = await room.entry(hands, 'mine');
    const { sequence: cause } = said(hands, session, 'close', 'intent');
    const taken = hands.locks.tryLock(sessionLock(session), { task: 'close', argv: [] });
    const file = taken.state === 'held' ? taken.hold.file : '';
    renameSync(file, `${file}.old`);
    symlinkSync('/nowhere', file);
    let aheadMs = 0;
    const moment = () => ({ ...hands.moment(), awakeMs: hands.moment().awakeMs + aheadMs });
    const wait = async () => {
      aheadMs += 20_000;
    };
    const hasty = await room.hands({ moment, wait });
    expect(await hold(hasty, session, null)).toMatchObject({ state: 'refused', refusal: { exit: 'failed' } });
    // It is over when the lock can be had again, and not before.
    const patient = await room.hands({
      wait: async () => {
        if (taken.state !== 'held') return;
        said(hands, session, 'close', 'outcome', cause);
        taken.hold.release();
        rmSync(file, { force: true });
      },
    });
    expect(await retain(patient, session, { until: hands.now() + 60_000, reason: null })).toMatchObject({
      state: 'declared',
      note: expect.stringContaining('stopped'),
    });
  });

  test('one that is gone by itself is not kept', async ({ staying: room, hands }) => {
    await room.tmux.session('mine');
    const entry = await room.entry(hands, 'mine');
    await room.tmux.tmux('kill-session', '-t', '=mine');
    const wish = { until: hands.now() + 60_000, reason: null };
    expect(await retain(hands, entry, wish)).toMatchObject({
      state: 'refused',
      refusal: { exit: 'not-found' },
    });
  });
});

const FAILED = { outcome: 'failed', task: null, evidence: [], fromPane: null } as const;

const subjectOf = ({ key, name }: SessionEntry) => ({ key, name });

const said = (
  hands: Hands,
  entry: SessionEntry,
  action: string,
  kind: EntryKind = 'declared',
  cause: number | null = null,
) => hands.ledger.append({ kind, action, session: subjectOf(entry), cause, body: {} });

type Say = (hands: Hands, entry: SessionEntry, room: ClosingRoom) => Promise<object>;

describe.concurrent('whatever speaks for keeping a session', () => {
  test.for<[string, string | null, Say]>([
    ['a role', null, async (hands, entry) => (await adopt(hands, entry, { role: 'keeper' })).declared],
    ['a claim', 'adopt', async (hands, entry) => (await adopt(hands, entry, { role: 'keeper' })).declared],
    ['a completion that is taken back', 'complete', (hands, entry) => cancelCompletion(hands, entry)],
    [
      'a failure',
      null,
      (hands, entry, { settings }) => completeSession(hands, settings.policy, entry, FAILED),
    ],
  ])('%s is answered when a close on its way is over', async ([, before, say], { staying: room, hands }) => {
    await room.tmux.session('mine');
    const entry = await room.entry(hands, 'mine');
    if (before !== null) said(hands, entry, before);
    const session = subjectOf(entry);
    const { sequence: cause } = hands.ledger.append({ kind: 'intent', action: 'close', session, body: {} });
    const taken = hands.locks.tryLock(sessionLock(session), { task: 'close', argv: [] });
    const wait = async () => {
      if (taken.state !== 'held' || outcomesIn(hands).length > 0) return;
      hands.ledger.append({ kind: 'outcome', action: 'close', session, cause, body: { result: 'aborted' } });
      taken.hold.release();
    };
    const note = 'a close of it was on its way and stopped';
    expect(await say(await room.hands({ wait }), entry, room)).toMatchObject({ state: 'declared', note });
  });
});

describe.concurrent('the time of a close', () => {
  test('is over before the next step: nothing harsher is done', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'done');
    // The time is over right after it was told to leave.
    let skewMs = 0;
    const closer = await room.hands({
      moment: () => ({ ...hands.moment(), awakeMs: hands.moment().awakeMs + skewMs }),
      onStep: (step, when) => {
        if (step === 'enter' && when === 'after') skewMs = 3_600_000;
      },
    });
    const timings = { ...SHORT, askMs: 7_200_000, wholeMs: 600_000 };
    expect(await room.close(closer, 'worker', {}, { timings })).toMatchObject({
      state: 'timed-out',
      text: expect.stringContaining('/exit'),
    });
    expect([lives(pid), outcomesIn(hands)]).toEqual([true, ['timed-out']]);
    expect(await room.names()).toContain('worker');
  });

  test('S26: no wait is shortened by a step of the wall clock', async ({ staying: room, hands }) => {
    await room.agent('worker', 'lingers');
    let isAsked = false;
    let waits = 0;
    const closer = await room.hands({
      now: () => Date.now() + (waits > 0 ? 86_400_000 : 0),
      onStep: (step, when) => {
        if (step === 'enter' && when === 'after') isAsked = true;
      },
      wait: (ms) => {
        if (isAsked) waits += 1;
        if (waits === 5) writeFileSync(`${room.agents.file('worker')}.go`, '');
        return hands.wait(ms);
      },
    });
    const timings = { ...SHORT, askMs: 30_000 };
    const closed = await room.close(closer, 'worker', {}, { timings });
    expect(closed).toMatchObject({ state: 'closed' });
    expect(JSON.stringify(closed)).not.toContain('SIGTERM');
  });

  test('is over before anything was done', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const timings = { ...SHORT, wholeMs: 1 };
    expect(await room.close(hands, 'worker', {}, { timings })).toMatchObject({
      state: 'timed-out',
      text: expect.stringContaining('before anything was done'),
    });
    expect([lives(pid), outcomesIn(hands)]).toEqual([true, []]);
  });
});
