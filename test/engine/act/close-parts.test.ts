import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readClosing } from '../../../src/core/close/bodies.ts';
import { closingPanes } from '../../../src/core/close/closing-pane.ts';
import { LedgerError } from '../../../src/core/ledger/ledger-error.ts';
import type { Process } from '../../../src/core/sight/process.ts';
import { Belongings } from '../../../src/engine/act/close/belongings.ts';
import { subjectOf } from '../../../src/engine/act/close/look-at.ts';
import { boundedTimings, CLOSE_TIMINGS } from '../../../src/engine/act/close/order.ts';
import { sweepAfterwards } from '../../../src/engine/act/close/recover-close.ts';
import { markedBy, movedPanes, sweep } from '../../../src/engine/act/close/sweep.ts';
import { whomToEnd } from '../../../src/engine/act/close/take-rung.ts';
import type { Hands } from '../../../src/engine/act/hands.ts';
import { recoverAll } from '../../../src/engine/act/recover.ts';
import { entry, roll } from '../../core/close/entry.ts';
import {
  agent,
  idleAgent,
  NOW,
  note,
  pane,
  processes,
  shell,
  unavailable,
  withPieces,
} from '../../support/evidence.ts';
import { until } from '../../support/until.ts';
import { entriesOf } from './acting-room.ts';
import { ClosingRoom, lives, outcomesIn, receiptsIn, SHORT } from './closing-room.ts';

let room: ClosingRoom;
let hands: Hands;
beforeEach(async () => {
  room = new ClosingRoom();
  hands = await room.hands();
});
afterEach(() => room.leave());

describe('whom SIGTERM has to reach', () => {
  const running = (pid: number, pgid: number): Process => ({
    ...{ pid, pgid, ppid: 1, sid: 1, tpgid: -1, state: 'S', startTicks: 2, startedAt: 0 },
    ...{ comm: 'x', cpuMs: 0, rssBytes: 0 },
  });
  const table = [running(250, 250), running(300, 250), running(400, 250), running(500, 500)];
  const notes = [
    shell(),
    agent({ pid: 250 }),
    agent({ pid: 300, parentPid: 250 }),
    note({ pid: 400, parentPid: 300, helper: 'MCP server' }),
    note({ pid: 500, parentPid: 300 }),
    note({ pid: 600, parentPid: 300, program: 'code', kept: 'it serves more' }),
  ];
  const panes = (over = {}) =>
    closingPanes(entry(withPieces(idleAgent(), processes(notes), pane(over))), NOW.at);
  const pids = (signal: 'process' | 'group', isForced = false, over = {}, shown?: ReadonlySet<string>) => {
    const known = {
      ...hands,
      agents: [{ kind: 'claude', recognises: () => false, exit: { command: '/x', signal } }],
    };
    const seen = {
      ...hands.processes,
      sense: () => ({ observedAt: 0, isComplete: true, byPid: new Map(table.map((one) => [one.pid, one])) }),
    };
    const listed = new Belongings(panes(over), { isForced }, shown);
    return whomToEnd({ ...known, processes: seen }, panes(over), isForced, listed).map(({ pid }) => pid);
  };

  it('is the agent alone, or its whole group where a launcher swallows it', () => {
    expect(pids('process')).toEqual([300]);
    expect(pids('group').sort()).toEqual([250, 300, 400]);
  });

  it('is everything that runs where it is forced, and nothing that lives on elsewhere', () => {
    expect(pids('process', true)).toEqual([250, 300, 400, 500]);
    expect(pids('group', true, { isWindowShared: true })).toEqual([]);
    expect(pids('process', true, {}, new Set(['500.2']))).toEqual([500]);
  });
});

describe('what a session left behind', () => {
  it('S6: bears its mark and is no older than its server, whose number an earlier one may have had', async () => {
    await room.agent('worker', 'leaves');
    const { server } = subjectOf(await room.entry(hands, 'worker')).target;
    const env = { ...process.env, TMUX: `${room.tmux.socketPath},${server.pid},0`, TMUX_PANE: '%999' };
    const marked = spawn('sleep', ['1000'], { env });
    try {
      const found = (startTicks: number) =>
        markedBy(hands, { ...server, startTicks }, new Set(['%999']), []).map(({ pid }) => pid);
      await until('it runs', () => found(server.startTicks).includes(marked.pid ?? 0));
      const own = hands.processes.sense().byPid.get(marked.pid ?? 0)?.startTicks ?? 0;
      expect(found(own)).toEqual([marked.pid]);
      expect(found(own + 1)).toEqual([]);
    } finally {
      marked.kill('SIGKILL');
    }
  });

  it('S6: a stranger that has the number of one of its processes survives', async () => {
    await room.agent('worker', 'leaves');
    const subject = subjectOf(await room.entry(hands, 'worker'));
    const stranger = spawn('sleep', ['1000']);
    try {
      const pid = stranger.pid ?? 0;
      const startTicks = await until(
        'it runs',
        () => hands.processes.sense().byPid.get(pid)?.startTicks ?? 0,
      );
      const sweeping = {
        ...{ hands, subject, timings: SHORT, isForced: true, paneIds: new Set<string>(), roll: roll([]) },
        step: async <T>(_: string, work: () => T | Promise<T>) => work(),
      };
      const belongings = (ticks: number) => {
        const one = { pid, startTicks: ticks, program: 'agent', paneId: '%1' };
        return { of: () => [one], others: () => [] };
      };
      const earlier = { ...sweeping, belongings: belongings(startTicks - 1) };
      expect(await sweep(earlier)).toMatchObject({ result: 'skipped', survivors: [] });
      expect(lives(pid)).toBe(true);
      expect(await sweep({ ...sweeping, belongings: belongings(startTicks) })).toMatchObject({
        result: 'done',
      });
      expect(lives(pid)).toBe(false);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it.each(['of the last look', 'now'] as const)(
    'S34: what outlived its session is ended only where the processes of panes are seen (%s)',
    async (when) => {
      await room.agent('worker', 'leaves');
      const subject = subjectOf(await room.entry(hands, 'worker'));
      const left = spawn('sleep', ['1000']);
      try {
        const pid = left.pid ?? 0;
        const mark = await until('it runs', () => hands.processes.sense().byPid.get(pid));
        const one = { pid, startTicks: mark?.startTicks ?? 0, program: 'sleep', paneId: '%1' };
        const seeing = {
          ...hands.processes,
          sense: () => ({ ...hands.processes.sense(), isComplete: when !== 'now' }),
        };
        const blind = entry([...idleAgent(), unavailable('process')]);
        const sweeping = {
          ...{
            hands: { ...hands, processes: seeing },
            subject,
            timings: SHORT,
            isForced: false,
            paneIds: new Set<string>(),
          },
          roll: roll(when === 'now' ? [] : [blind]),
          belongings: { of: () => [one], others: () => [] },
          step: async <T>(_: string, work: () => T | Promise<T>) => work(),
        };
        expect(await sweep(sweeping)).toMatchObject({
          ...{
            result: 'failed',
            text: `not ended, because the processes of other panes cannot be seen: sleep (pid ${pid})`,
            survivors: [{ pid }],
          },
        });
        const intent = readClosing({ processes: [one] });
        const { server } = subject.target;
        const after = await sweepAfterwards(sweeping.hands, server, intent, sweeping.roll);
        expect(after).toMatchObject({
          rungs: [
            {
              result: 'failed',
              text: `not ended, because the processes of other panes cannot be seen: sleep (pid ${pid})`,
            },
          ],
          survivors: [{ pid }],
        });
        expect(lives(pid)).toBe(true);
        await sweep({ ...sweeping, hands, roll: roll([]) });
        expect(lives(pid)).toBe(false);
      } finally {
        left.kill('SIGKILL');
      }
    },
  );

  it('S4: is not what somebody moved to another session of the same server', () => {
    const gone = subjectOf(entry(idleAgent()));
    const other = entry(idleAgent(), { key: 'other', name: 'kept' });
    expect(movedPanes(gone, ['%1', '%2'], roll([other]))).toEqual([{ paneId: '%1', session: 'kept' }]);
    const { server } = other;
    for (const elsewhere of [{ pid: 8 }, { startTicks: 0 }]) {
      expect(movedPanes(gone, ['%1'], roll([{ ...other, server: { ...server, ...elsewhere } }]))).toEqual([]);
    }
    expect(movedPanes(gone, ['%1'], roll([entry(idleAgent())]))).toEqual([]);
  });
});

describe('S40: the session is gone and that could not be recorded', () => {
  it('the receipt is written by the next command, once', async () => {
    await room.agent('worker', 'leaves');
    await room.tmux.session('stays');
    const full = {
      ...hands,
      ledger: {
        ...hands.ledger,
        read: (selection: Parameters<Hands['ledger']['read']>[0]) => hands.ledger.read(selection),
        append: (draft: Parameters<Hands['ledger']['append']>[0]) => {
          if (draft.kind !== 'intent') throw new LedgerError('full', 'no room', 'make room');
          return hands.ledger.append(draft);
        },
      },
    };
    expect(await room.close(full, 'worker', {}, { reason: 'why' })).toMatchObject({
      ...{ state: 'unrecorded', isGone: true, text: 'no room', hint: 'make room' },
    });
    expect(await room.names()).toEqual(['stays']);
    expect(receiptsIn(hands)).toEqual([]);

    const [recovered] = await recoverAll(hands);
    expect(recovered).toMatchObject({ intent: { action: 'close' }, body: { result: 'done' } });
    const receipt = entriesOf(hands).find(({ kind }) => kind === 'receipt');
    expect(receipt?.body).toMatchObject({
      ...{ result: 'recovered', reason: 'why', session: { name: 'worker' }, agent: { kind: 'scripted' } },
      resume: ['/bin/sh', ...room.agents.argv('worker', 'leaves')],
    });
    expect(await recoverAll(hands)).toEqual([]);
    expect([receiptsIn(hands).length, outcomesIn(hands)]).toEqual([1, ['done']]);
  });

  it('the receipt is written also where a server elsewhere has the same numbers', async () => {
    await room.agent('worker', 'leaves');
    await room.tmux.session('stays');
    const before = await room.entry(hands, 'worker');
    const onStep: Hands['onStep'] = (step) => {
      if (step === 'receipt') throw new Error('cut short');
    };
    await expect(room.close({ ...hands, onStep }, 'worker')).rejects.toThrow('cut short');
    const namesake = { ...before, key: 'other', server: { ...before.server, startTicks: 0 } };
    const look: Hands['look'] = async (options) => {
      const seen = await hands.look(options);
      return { ...seen, sessions: [...seen.sessions, namesake] };
    };
    expect(await recoverAll({ ...hands, look })).toMatchObject([{ body: { result: 'done' } }]);
    expect(receiptsIn(hands)).toHaveLength(1);
  });

  it('S32: nothing is said while its server gives no answer', async () => {
    await room.agent('worker', 'leaves');
    const { key, name, server, sessionId, createdAt } = await room.entry(hands, 'worker');
    const { socketPath, pid, startTicks } = server;
    const body = {
      archive: 'none',
      server: { socketPath, pid, startTicks },
      sessionId,
      createdAtSeconds: createdAt / 1000,
    };
    hands.ledger.append({ kind: 'intent', action: 'close', session: { key, name }, body });
    const blind = { ...hands, look: async () => ({ ...(await hands.look()), sessions: [], servers: [] }) };
    expect(await recoverAll(blind)).toEqual([]);
    expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'interrupted' } }]);
    expect(receiptsIn(hands)).toEqual([]);
  });

  it('an intent that does not say where is only ended', async () => {
    hands.ledger.append({
      kind: 'intent',
      action: 'close',
      session: { key: 'k', name: 'n' },
      body: { archive: null },
    });
    expect(await recoverAll(hands)).toMatchObject([{ body: { result: 'interrupted' } }]);
  });
});

it('less time for the whole of it makes no step shorter', () => {
  const { askMs, terminateMs, killMs } = CLOSE_TIMINGS;
  expect(boundedTimings(CLOSE_TIMINGS, 2000)).toMatchObject({
    ...{ wholeMs: 2000, decideMs: 2000, askMs, terminateMs, killMs },
  });
});
