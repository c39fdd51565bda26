import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import { receiptSchema } from '../../src/contract/close-schemas.ts';
import { findReceipt } from '../../src/core/close/find-receipt.ts';
import { adopt } from '../../src/engine/act/declare-standing.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { reopenSession } from '../../src/engine/act/reopen/reopen-session.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import type { ClosingRoom } from '../engine/act/closing-room.ts';
import { lives, outcomesIn, receiptsIn, SHELL, untilGone } from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { until } from '../support/until.ts';

class Stopped extends Error {}

/** A close whose actor stops at that point: nothing of what comes after it is done or recorded. */
async function stopAt(room: ClosingRoom, step: string, when: 'before' | 'after', wish = {}): Promise<void> {
  const stopping = await room.hands({
    onStep: (name, at) => {
      if (name === step && at === when) throw new Stopped();
    },
  });
  await expect(room.close(stopping, 'worker', wish)).rejects.toThrow(Stopped);
}

const receiptIn = (hands: Hands) =>
  v.parse(receiptSchema, entriesOf(hands).find(({ kind }) => kind === 'receipt')?.body ?? null);

/** The process outside the agent's tree that carries its pane's mark. */
async function childOf(
  room: ClosingRoom,
  hands: Hands,
  pid: number,
): Promise<{ pid: number; startTicks: number }> {
  const found = await until('its child is seen', async () =>
    (await room.entry(hands, 'worker')).evidence
      .flatMap((one) => (one.kind === 'processes' ? one.processes : []))
      .find((note) => note.pid !== pid && ['sleep', 'mcp-server-files'].includes(note.program)),
  );
  if (found === undefined) throw new Error('no child');
  return found;
}

describe.concurrent('what a close left running that was cut short', () => {
  test('S45, S50: is ended by the recovery, which says so in the receipt', async ({
    staying: room,
    hands,
  }) => {
    const { pid } = await room.agent('worker', 'leaves+helper');
    const child = await childOf(room, hands, pid);
    await stopAt(room, 'sweep', 'before');
    expect([lives(pid), lives(child.pid)]).toEqual([false, true]);

    await recoverAll(hands);
    expect(lives(child.pid)).toBe(false);
    expect(receiptIn(hands)).toMatchObject({
      result: 'recovered',
      survivors: [],
      rungs: [{ rung: 'sweep', result: 'done', text: expect.stringContaining(`(pid ${child.pid})`) }],
    });
    expect(receiptsIn(hands)).toHaveLength(1);
    expect(await recoverAll(hands)).toEqual([]);
  });

  test('S46: and ignores SIGTERM is told as a survivor, and never killed', async ({
    staying: room,
    hands,
  }) => {
    // What a shell ignores, its children ignore from the start.
    const { pid } = await room.agent('worker', 'leaves', `(trap '' TERM; setsid sleep 1000 &); ${SHELL}`);
    await room.tmux.tmux('send-keys', '-t', '=worker:', '/exit', 'Enter');
    const deaf = await childOf(room, hands, pid);
    await until('it is deaf', () => isDeaf(deaf.pid));
    expect(lives(pid)).toBe(false);
    await stopAt(room, 'sweep', 'before', { isForced: true });
    await recoverAll(hands);
    expect(lives(deaf.pid)).toBe(true);
    const { survivors, rungs } = receiptIn(hands);
    expect(survivors.map((one) => one.pid)).toEqual([deaf.pid]);
    expect(rungs).toMatchObject([{ rung: 'sweep', result: 'failed' }]);
  });

  test('S6: is not signalled where its number is another process by now', async ({
    staying: room,
    hands,
  }) => {
    await room.agent('worker', 'leaves+helper');
    const stranger = spawn('sleep', ['1000'], { stdio: 'ignore' });
    try {
      await stopAt(room, 'intent', 'before');
      const entry = await room.entry(hands, 'worker');
      const { socketPath, pid, startTicks } = entry.server;
      const mark = startTicksOf(stranger.pid ?? 0);
      expect(mark).toBeGreaterThan(1);
      hands.ledger.append({
        ...{ kind: 'intent', action: 'close', session: { key: entry.key, name: entry.name } },
        body: {
          ...{ archive: 'none', server: { socketPath, pid, startTicks }, panes: ['%999'] },
          processes: [{ pid: stranger.pid ?? 0, startTicks: mark - 1, program: 'sleep', paneId: '%999' }],
        },
      });
      await room.tmux.tmux('kill-session', '-t', '=worker');
      await recoverAll(hands);
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
      expect(receiptIn(hands)).toMatchObject({ result: 'recovered', survivors: [], rungs: [] });
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  test('S4: is left alone where somebody moved its pane to another session', async ({
    staying: room,
    hands,
  }) => {
    const { paneId, pid } = await room.agent('worker', 'leaves+helper');
    const child = await childOf(room, hands, pid);
    const { key } = await room.entry(hands, 'worker');
    await stopAt(room, 'intent', 'after');
    await room.tmux.tmux('join-pane', '-d', '-s', paneId, '-t', '=stays:');
    await recoverAll(hands);
    expect([lives(pid), lives(child.pid)]).toEqual([true, true]);
    // Nobody has closed it: what was said of it goes with its pane.
    expect(outcomesIn(hands)).toEqual(['interrupted']);
    expect(hands.ledger.facts().folded.facts.get(key)).toMatchObject({ closed: null, closing: null });
    expect(receiptIn(hands)).toMatchObject({
      ...{ result: 'partial', survivors: [], rungs: [] },
      notes: [expect.stringContaining(`its pane ${paneId} was moved to session stays`), expect.any(String)],
    });
    const found = findReceipt(entriesOf(hands), 'worker');
    if (found.state !== 'one') throw new Error(found.state);
    const order = { closed: found.closed, socketPath: room.tmux.socketPath, shell: '/bin/sh', argv: [] };
    expect(await reopenSession(hands, { ...order, name: null, onCollision: 'fail' })).toMatchObject({
      ...{ state: 'lives', entry: { name: 'stays' } },
    });
  });

  test('S50: a session that stands without its agent gets a receipt to start it again from, once', async ({
    staying: room,
    hands,
  }) => {
    const { pid } = await room.agent('worker', 'leaves', SHELL);
    const { key } = await room.entry(hands, 'worker');
    await stopAt(room, 'remove', 'before');
    expect(lives(pid)).toBe(false);
    // Killed between its receipt and its outcome, a recovery is done once more.
    const stopping = await room.hands({
      onStep: (name, when) => {
        if (name === 'recovered' && when === 'before') throw new Stopped();
      },
    });
    await expect(recoverAll(stopping)).rejects.toThrow(Stopped);
    await recoverAll(hands);
    expect(receiptIn(hands)).toMatchObject({
      ...{ result: 'partial', resume: expect.arrayContaining(['talk-worker']) },
      notes: [expect.stringContaining('stands'), expect.stringContaining(`(pid ${pid})`)],
    });
    expect(receiptsIn(hands)).toHaveLength(1);
    expect(outcomesIn(hands)).toEqual(['interrupted']);
    expect(hands.ledger.facts().folded.facts.get(key)).toMatchObject({ closed: null, closing: null });
  });

  test('S50: one that stands with its agent gets one only where nothing else would tell of its end', async ({
    staying: room,
    hands,
  }) => {
    const { pid } = await room.agent('worker', 'leaves');
    await stopAt(room, 'type', 'before');
    await recoverAll(hands);
    expect([lives(pid), outcomesIn(hands)]).toEqual([true, ['interrupted']]);
    expect(receiptIn(hands)).toMatchObject({
      ...{ result: 'partial', resume: expect.arrayContaining(['talk-worker']) },
      notes: [expect.stringContaining('stands'), expect.stringContaining(`(pid ${pid}) still runs`)],
    });
    await adopt(hands, await room.entry(hands, 'worker'), {});
    await stopAt(room, 'type', 'before');
    await recoverAll(hands);
    expect([lives(pid), receiptsIn(hands).length]).toEqual([true, 1]);
  });

  test('S50: one that stays when its agent leaves later has a receipt to start that again from', async ({
    staying: room,
    hands,
  }) => {
    const { pid } = await room.agent('worker', 'leaves', SHELL);
    await adopt(hands, await room.entry(hands, 'worker'), {});
    await stopAt(room, 'enter', 'before');
    await recoverAll(hands);
    expect([lives(pid), outcomesIn(hands)]).toEqual([true, ['interrupted']]);
    await room.tmux.tmux('send-keys', '-t', '=worker:', 'Enter');
    await untilGone(pid);
    const found = findReceipt(entriesOf(hands), 'worker');
    if (found.state !== 'one') throw new Error(found.state);
    const order = { closed: found.closed, socketPath: room.tmux.socketPath, shell: '/bin/sh', argv: [] };
    expect(await reopenSession(hands, { ...order, name: null, onCollision: 'fail' })).toMatchObject({
      ...{ state: 'reopened', name: 'worker-2' },
      reopening: { agent: { conversation: 'talk-worker' }, isBeside: true },
    });
  });

  test('S21: is only told where the intent does not know it', async ({ staying: room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves', SHELL);
    await stopAt(room, 'remove', 'before');
    expect(lives(pid)).toBe(false);
    // Started after everything was recorded, and gone from the tree: only its pane's mark speaks for it.
    await room.tmux.tmux('send-keys', '-t', '=worker:', '(setsid sleep 1234 &)', 'Enter');
    const late = await until(
      'it runs',
      () => pidsOf(room, 'sleep\u00001234'),
      (pids) => pids.length === 1,
    );
    await room.tmux.tmux('kill-session', '-t', '=worker');
    await recoverAll(hands);
    expect(lives(late[0] ?? 0)).toBe(true);
    expect(receiptIn(hands).survivors.map((one) => one.pid)).toEqual(late);
  });
});

test.concurrent('S32: a reopening that tmux gave no answer to stays open until somebody can tell', async ({
  staying: room,
  hands,
}) => {
  await room.agent('worker', 'leaves');
  expect((await room.close(hands, 'worker')).state).toBe('closed');
  const found = findReceipt(entriesOf(hands), 'worker');
  if (found.state !== 'one') throw new Error(found.state);
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
      return isAsked ? { ...roll, problems: [problem] } : roll;
    },
  };
  const order = { closed: found.closed, socketPath, shell: '/bin/sh', argv: [], name: null } as const;
  expect(await reopenSession(mute, { ...order, onCollision: 'fail' })).toMatchObject({
    ...{ state: 'failed', hint: expect.stringContaining('the next rollcall command finds out') },
  });
  expect(outcomesIn(hands, 'reopen')).toEqual([]);
  await recoverAll(hands);
  expect(outcomesIn(hands, 'reopen')).toEqual(['done']);
  expect(await reopenSession(hands, { ...order, onCollision: 'suffix' })).toMatchObject({ state: 'lives' });
});

function startTicksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
}

function isDeaf(pid: number): boolean {
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${ignored}`) & (1n << 14n)) !== 0n;
}

/** Processes of this room with that command line. */
function pidsOf(room: ClosingRoom, words: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const isIt = readFileSync(`/proc/${name}/cmdline`, 'utf8').startsWith(words);
      return isIt && readFileSync(`/proc/${name}/environ`, 'utf8').includes(room.tmux.folder)
        ? [Number(name)]
        : [];
    } catch {
      return [];
    }
  });
}
