import { readFileSync, rmSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import { receiptSchema } from '../../../src/contract/close-schemas.ts';
import { findReceipt } from '../../../src/core/close/find-receipt.ts';
import type { RungReport } from '../../../src/core/close/receipt.ts';
import { plain } from '../../../src/core/ledger/json.ts';
import { archiveSession } from '../../../src/engine/act/close/archive-session.ts';
import { Belongings } from '../../../src/engine/act/close/belongings.ts';
import { lookAt, subjectOf } from '../../../src/engine/act/close/look-at.ts';
import type { Ready } from '../../../src/engine/act/close/make-ready.ts';
import { partialReceipt } from '../../../src/engine/act/close/partial-receipt.ts';
import { adopt } from '../../../src/engine/act/declare-standing.ts';
import { newReceiptId } from '../../../src/engine/act/deed.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { endedEarlier } from '../../../src/engine/act/reopen/ended-earlier.ts';
import type { ReopenOrder } from '../../../src/engine/act/reopen/order.ts';
import { reopenSession } from '../../../src/engine/act/reopen/reopen-session.ts';
import { closedAs, reopenedOr } from '../../../src/engine/act/reopen/trouble.ts';
import { until } from '../../support/until.ts';
import { entriesOf, factsIn } from './acting-room.ts';
import { type ClosingRoom, receiptsIn, SHELL, untilGone } from './closing-room.ts';
import { test } from './closing-test.ts';

const ASKED: RungReport = { rung: 'ask', startedAt: 1, endedAt: 2, result: 'done', text: 'it left' };

/** A close of `worker` up to its archive, and what its receipt is where it stops after this. */
async function begun(hands: Hands, entry: Parameters<typeof subjectOf>[0], isForced = false) {
  const subject = subjectOf(entry);
  const sight = await lookAt(hands, subject);
  if (sight.state !== 'there') throw new Error(sight.state);
  const id = newReceiptId();
  const archived = await archiveSession(hands, subject, sight, { id, claims: null });
  if (archived.state !== 'written') throw new Error(archived.text);
  const wish = { isForced, despite: [], isAutomatic: false };
  const order = { wish, reason: 'why' };
  const ready = {
    ...{ sight, decision: { state: 'go', waived: [] }, id, archive: archived.path },
    digests: new Map(Object.entries(archived.digests)),
    belongings: new Belongings(sight.panes, wish),
  } as unknown as Ready;
  const receipt = async (...rungs: RungReport[]) => {
    const stopped = { rungs, text: 'something came between' };
    const keep = async () => ({ conversations: [], notes: [] });
    return (await partialReceipt(hands, order, ready, stopped, keep))?.receipt ?? null;
  };
  return {
    receipt,
    record: async () => {
      const body = await receipt(ASKED);
      const { key, name } = entry;
      if (body !== null)
        hands.ledger.append({ kind: 'receipt', action: 'close', session: { key, name }, body: plain(body) });
      return body?.receipt ?? '';
    },
  };
}

async function leave(room: ClosingRoom, name: string, pid: number): Promise<void> {
  await room.tmux.tmux('send-keys', '-t', `=${name}:`, '/exit', 'Enter');
  await untilGone(pid);
  // A shell that is not there yet may be given something, for all that anybody can tell.
  const screen = () => room.tmux.tmux('capture-pane', '-p', '-t', `=${name}:`);
  await until('its shell waits', screen, (text) => text.endsWith('\n$'));
}

/** The agent left, and the session stands with a shell in it. */
async function stopped(room: ClosingRoom, hands: Hands) {
  const { pid } = await room.agent('worker', 'leaves', SHELL);
  const entry = await room.entry(hands, 'worker');
  const close = await begun(hands, entry);
  await leave(room, 'worker', pid);
  return { entry, receipt: await close.record() };
}

function reopen(room: ClosingRoom, hands: Hands, word: string, over: Partial<ReopenOrder> = {}) {
  const found = closedAs(entriesOf(hands), word);
  if (!('facts' in found)) throw new Error(found.text);
  return reopenSession(hands, {
    ...{ closed: found, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' as const },
    ...{ shell: '/bin/sh', argv: ['test'], ...over },
  });
}

describe.concurrent('a close that ended an agent and then stopped', () => {
  test('leaves a receipt that tells whom and how it comes back, and the session is not closed', async ({
    staying: room,
    hands,
  }) => {
    const { entry, receipt } = await stopped(room, hands);
    const body = entriesOf(hands).find(({ kind }) => kind === 'receipt')?.body;
    expect(v.parse(receiptSchema, body)).toMatchObject({
      ...{ receipt, result: 'partial', reason: 'why', agent: { kind: 'scripted' }, survivors: [] },
      ...{ resume: expect.arrayContaining(['talk-worker']), archive: expect.stringContaining(receipt) },
      notes: [
        'the close stopped: something came between',
        expect.stringMatching(/^ended in pane %\d+: scripted \(pid \d+\); its conversation: /),
      ],
    });
    expect(factsIn(hands).get(entry.key)).toMatchObject({ closed: null, reopened: null });
    expect(await room.close(hands, 'worker', { isForced: true })).toMatchObject({ state: 'closed' });
    expect(receiptsIn(hands)).toHaveLength(2);
    expect(findReceipt(entriesOf(hands), receipt)).toMatchObject({
      closed: { receipt: { body: { result: 'partial' } } },
    });
  });

  test('is named where the session is made again from a later one, until its agent is started', async ({
    staying: room,
    hands,
  }) => {
    const { receipt } = await stopped(room, hands);
    expect(await room.close(hands, 'worker', { isForced: true })).toMatchObject({ state: 'closed' });
    const said = `an earlier close ended scripted: rollcall reopen ${receipt} starts it again`;
    const made = await reopen(room, hands, 'worker');
    expect(made).toMatchObject({
      state: 'reopened',
      name: 'worker',
      missing: expect.arrayContaining([said]),
    });
    expect(await reopen(room, hands, receipt, { name: 'again' })).toMatchObject({
      ...{ state: 'reopened', reopening: { agent: { conversation: 'talk-worker' } } },
    });
    await room.tmux.tmux('kill-session', '-t', '=worker');
    const closed = closedAs(entriesOf(hands), receiptsIn(hands).at(-1) ?? '');
    if (!('facts' in closed)) throw new Error(closed.text);
    expect(endedEarlier(hands, closed, { agent: null })).toEqual([]);
  });

  test('is not named where nobody needs it', async ({ staying: room, hands }) => {
    const { receipt, entry } = await stopped(room, hands);
    await room.close(hands, 'worker', { isForced: true });
    const closed = closedAs(entriesOf(hands), 'worker');
    if (!('facts' in closed)) throw new Error(closed.text);
    expect(endedEarlier(hands, closed, { agent: null })).toEqual([expect.stringContaining(receipt)]);
    const agent = { kind: 'scripted', conversation: 'talk-worker' };
    expect(endedEarlier(hands, closed, { agent })).toEqual([]);
    const own = closedAs(entriesOf(hands), receipt);
    if (!('facts' in own)) throw new Error(own.text);
    expect(endedEarlier(hands, own, { agent: null })).toEqual([]);
    const { key, name } = entry;
    const [first, ...rest] = hands.ledger.read({ about: key }).entries;
    const woken = { ...first, kind: 'outcome', action: 'wake', session: { key, name } };
    const at = rest.findIndex(({ kind, body }) => kind === 'receipt' && body.receipt !== receipt);
    const entries = [first, ...rest.slice(0, at), woken, ...rest.slice(at)];
    const ledger = { read: () => ({ entries }) } as never;
    expect(endedEarlier({ ledger }, closed, { agent: null })).toEqual([]);
  });

  test('is no such close where nothing was done to end anybody', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves', SHELL);
    const close = await begun(hands, await room.entry(hands, 'worker'));
    expect(await close.receipt({ ...ASKED, result: 'skipped' })).toBeNull();
    expect(await close.receipt(ASKED)).toMatchObject({
      ...{ result: 'partial', resume: expect.arrayContaining(['talk-worker']) },
      notes: [
        'the close stopped: something came between',
        expect.stringMatching(/still runs, and may leave/),
      ],
    });
    await leave(room, 'worker', pid);
    expect(await close.receipt({ ...ASKED, result: 'skipped' })).toBeNull();
    expect(await close.receipt(ASKED)).toMatchObject({ result: 'partial' });
  });

  test('leaves what the ledger expects to be found missing', async ({ staying: room, hands }) => {
    await room.agent('worker', 'leaves');
    const entry = await room.entry(hands, 'worker');
    expect(await adopt(hands, entry, {})).toMatchObject({ as: 'adopt' });
    const alone = await begun(hands, entry);
    expect(await alone.receipt(ASKED)).toBeNull();
    // Where its pane stays without it, nothing is missing either.
    await room.tmux.tmux('set-option', '-w', '-t', '=worker:', 'remain-on-exit', 'on');
    expect(await alone.receipt(ASKED)).toMatchObject({
      ...{ result: 'partial', resume: expect.arrayContaining(['talk-worker']) },
    });
    await room.tmux.tmux('set-option', '-w', '-u', '-t', '=worker:', 'remain-on-exit');
    expect(await alone.receipt(ASKED)).toBeNull();
    // With another pane it stands without its agent, and nothing is missing.
    await room.tmux.tmux('split-window', '-d', '-t', '=worker:', 'exec sleep 1000');
    const beside = await begun(hands, await room.entry(hands, 'worker'));
    expect(await beside.receipt(ASKED)).toMatchObject({
      ...{ result: 'partial', resume: expect.arrayContaining(['talk-worker']) },
    });
  });

  test('has a receipt where tmux gave no answer and sent the signal all the same', async ({
    staying: room,
    hands,
  }) => {
    const { pid } = await room.agent('worker', 'done', SHELL);
    // It is not asked to leave.
    await room.agents.say('worker', 'working');
    const signal: typeof hands.tmux.signal = async (...given) => {
      await hands.tmux.signal?.(...given);
      await untilGone(pid);
      return { state: 'failed', text: 'no answer' };
    };
    const result = await room.close({ ...hands, tmux: { ...hands.tmux, signal } }, 'worker', {
      isForced: true,
    });
    expect(result).toMatchObject({
      state: 'failed',
      rungs: [
        { rung: 'archive' },
        { rung: 'ask' },
        { rung: 'terminate', result: 'failed', text: 'no answer' },
      ],
      receipt: { result: 'partial', resume: expect.arrayContaining(['talk-worker']) },
    });
    expect(receiptsIn(hands)).toHaveLength(1);
  });

  test('tells of other programs that force ended', async ({ staying: room, hands }) => {
    const { pid } = await room.tmux.session('worker', 'sleep', '1000');
    await until('it runs', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('sleep'));
    await room.tmux.tmux('split-window', '-d', '-t', '=worker:', 'exec sleep 1000');
    const entry = await room.entry(hands, 'worker');
    const [asked, forced] = [await begun(hands, entry), await begun(hands, entry, true)];
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
    const report: RungReport = { ...ASKED, rung: 'terminate', result: 'unanswered' };
    expect(await asked.receipt(report)).toBeNull();
    expect(await forced.receipt(report)).toMatchObject({
      resume: null,
      notes: [expect.any(String), `ended too: sleep (pid ${pid})`],
    });
  });
});

describe.concurrent('an agent that such a close ended', () => {
  test('is started again beside its session, once, and replaces nothing', async ({
    staying: room,
    hands,
  }) => {
    const { entry, receipt } = await stopped(room, hands);
    const result = await reopen(room, hands, 'worker');
    expect(result).toMatchObject({
      ...{ state: 'reopened', name: 'worker-2', receipt },
      reopening: { agent: { conversation: 'talk-worker' }, isBeside: true, windows: [] },
      missing: [expect.stringContaining("session 'worker' still stands")],
    });
    expect((await room.names()).sort()).toEqual(['stays', 'worker', 'worker-2']);
    await room.agents.pid('worker');
    // It would not be expected any more, and what is held would be forgotten.
    expect(factsIn(hands).get(entry.key)).toMatchObject({ closed: null, reopened: null });
    for (const word of ['worker', receipt]) {
      expect(await reopen(room, hands, word)).toMatchObject({
        state: 'lives',
        text: 'it was reopened before',
      });
    }
    // What is left of the session is closed and put back by its own receipt.
    const closed = await room.close(hands, 'worker', { isForced: true });
    if (closed.state !== 'closed') throw new Error(JSON.stringify(closed));
    const again = await reopen(room, hands, String(closed.receipt.receipt));
    expect(again).toMatchObject({ state: 'reopened', name: 'worker' });
  });

  test('is called as somebody wants it, where that is free', async ({ staying: room, hands }) => {
    const { receipt } = await stopped(room, hands);
    expect(await reopen(room, hands, receipt, { name: 'stays' })).toMatchObject({ state: 'name-taken' });
    expect(await reopen(room, hands, receipt, { name: 'again' })).toMatchObject({ name: 'again' });
  });

  test('is not started twice while it runs in its session', async ({ staying: room, hands }) => {
    const { receipt } = await stopped(room, hands);
    const [program = '', ...words] = room.agents.argv('worker', 'leaves');
    rmSync(room.agents.file('worker'));
    await room.tmux.tmux('send-keys', '-t', '=worker:', `${[program, ...words].join(' ')}`, 'Enter');
    await room.agents.pid('worker');
    const result = await reopen(room, hands, receipt);
    expect(result).toMatchObject({ state: 'lives', entry: { name: 'worker' } });
    expect(reopenedOr(result, 0)).toMatchObject({
      text: expect.stringContaining('it stands, and its agent may run in it'),
      hint: expect.stringContaining('rollcall explain'),
    });
    expect((await room.names()).sort()).toEqual(['stays', 'worker']);
  });

  test('comes back with all of its session where that is gone by now', async ({ staying: room, hands }) => {
    const { entry, receipt } = await stopped(room, hands);
    await room.tmux.tmux('kill-session', '-t', '=worker');
    const result = await reopen(room, hands, 'worker');
    expect(result).toMatchObject({ state: 'reopened', name: 'worker', receipt });
    expect(result).not.toHaveProperty('reopening.isBeside');
    expect(factsIn(hands).get(entry.key)?.reopened).not.toBeNull();
  });

  test('is not made up where nobody knows how to resume it', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves', SHELL);
    const { key, name } = await room.entry(hands, 'worker');
    const close = await begun(hands, await room.entry(hands, 'worker'));
    await leave(room, 'worker', pid);
    const body = plain({ ...(await close.receipt(ASKED)), resume: null });
    hands.ledger.append({ kind: 'receipt', action: 'close', session: { key, name }, body });
    expect(await reopen(room, hands, 'worker')).toMatchObject({
      ...{ state: 'not-kept', text: expect.stringContaining('still stands') },
    });
    expect((await room.names()).sort()).toEqual(['stays', 'worker']);
  });
});
