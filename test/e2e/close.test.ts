import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import { receiptSchema } from '../../src/contract/close-schemas.ts';
import { findReceipt } from '../../src/core/close/find-receipt.ts';
import type { CloseResult } from '../../src/engine/act/close/order.ts';
import { complete } from '../../src/engine/act/complete.ts';
import type { Hands } from '../../src/engine/act/hands.ts';
import { reopenSession } from '../../src/engine/act/reopen/reopen-session.ts';
import { run } from '../../src/engine/act/run.ts';
import { entriesOf, factsIn } from '../engine/act/acting-room.ts';
import {
  ClosingRoom,
  lives,
  outcomesIn,
  receiptsIn,
  SHELL,
  SHORT,
  untilGone,
} from '../engine/act/closing-room.ts';
import { test } from '../engine/act/closing-test.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { until } from '../support/until.ts';

interface Scene {
  readonly room: ClosingRoom;
  readonly hands: Hands;
}

/** The receipt of a close that was done. */
function receiptOf(result: CloseResult) {
  if (result.state !== 'closed' && result.state !== 'gone') throw new Error(JSON.stringify(result));
  return v.parse(receiptSchema, result.receipt);
}

const walked = (result: CloseResult) =>
  receiptOf(result).rungs.map(({ rung, result: how }) => `${rung} ${how}`);

describe.concurrent('an agent at rest', () => {
  test('leaves at its own exit, and everything of it is kept and recorded', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const result = await room.close(hands, 'worker', {}, { reason: 'finished' });
    expect(walked(result)).toEqual(['archive done', 'ask done', 'sweep skipped']);
    expect(lives(pid)).toBe(false);
    expect(await room.names()).toEqual([]);

    const receipt = receiptOf(result);
    expect(receipt).toMatchObject({
      result: 'closed',
      reason: 'finished',
      isForced: false,
      session: { name: 'worker' },
      survivors: [],
      resume: ['/bin/sh', ...room.agents.argv('worker', 'leaves')],
    });
    expect(entriesOf(hands).map(({ kind }) => kind)).toEqual(['intent', 'receipt', 'outcome']);
    expect(outcomesIn(hands)).toEqual(['done']);
    expect(hands.ledger.verify().damage).toBeNull();
    const kept = readdirSync(receipt.archive ?? '').map((file) => join(receipt.archive ?? '', file));
    const document = JSON.parse(readFileSync(kept.find((file) => file.endsWith('.json')) ?? '', 'utf8'));
    expect(document.panes[0].agent).toMatchObject({ kind: 'scripted', conversation: 'talk-worker' });
    expect(Object.keys(document.panes[0].agent.env)).not.toContain('PATH');
    const history = kept.find((file) => !file.endsWith('.json')) ?? '';
    expect(readFileSync(history, 'utf8')).toContain('a scripted agent');
  });

  test('is not missed when its server ends with it', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    const bystander = await room.hands();
    await bystander.look();
    await room.close(hands, 'worker');
    await untilGone(room.tmux.serverPid);
    expect((await bystander.look()).problems).toEqual([]);
  });

  test('S43: that answers "Done." to /exit and stays is ended by SIGTERM', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'done');
    const result = await room.close(hands, 'worker');
    expect(walked(result)).toEqual(['archive done', 'ask unanswered', 'terminate done', 'sweep skipped']);
    expect(lives(pid)).toBe(false);
  });

  test('S43: whose exit opens a dialog is left with it', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'asks');
    const { tmux } = hands;
    const asking = await room.hands({
      tmux: {
        ...tmux,
        // It is not given up on before it had a core to open its dialog on.
        press: async (...pressed) => {
          const acted = await tmux.press(...pressed);
          const says = () => readFileSync(room.agents.file('worker'), 'utf8');
          await until('it asks', says, (text) => text.includes('waiting'));
          return acted;
        },
      },
    });
    const result = await room.close(asking, 'worker');
    expect(result).toMatchObject({ state: 'aborted', text: expect.stringContaining('waiting') });
    expect(lives(pid)).toBe(true);
    expect(outcomesIn(hands)).toEqual(['aborted']);
  });

  test('S44: behind which a shell stands goes with the shell', async ({ room, hands }) => {
    await room.agent('worker', 'leaves', SHELL);
    const result = await room.close(hands, 'worker');
    expect(walked(result)).toEqual(['archive done', 'ask done', 'remove done', 'sweep skipped']);
    expect(await room.names()).toEqual([]);
  });

  test('S44: that has left its shell behind long ago needs no more than that', async ({ room, hands }) => {
    const { paneId, pid } = await room.agent('worker', 'leaves', SHELL);
    await room.tmux.tmux('send-keys', '-t', paneId, '/exit', 'Enter');
    await untilGone(pid);
    await until(
      'the shell rests',
      () => room.entry(hands, 'worker'),
      (one) => one.activity === 'exited',
    );
    expect(walked(await room.close(hands, 'worker'))).toEqual([
      'archive done',
      'remove done',
      'sweep skipped',
    ]);
  });

  test('S44: whose pane remains goes with the dead pane', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    await room.tmux.tmux('set-option', '-w', '-t', '=worker:', 'remain-on-exit', 'on');
    const result = await room.close(hands, 'worker');
    expect(walked(result)).toEqual(['archive done', 'ask done', 'remove done', 'sweep skipped']);
    expect(await room.names()).toEqual([]);
  });

  test('S44: behind which other work begins is not taken further', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves', 'sleep 1000');
    const result = await room.close(hands, 'worker');
    expect(result).toMatchObject({ state: 'aborted', text: expect.stringContaining('working') });
    expect(lives(pid)).toBe(false);
    expect(await room.names()).toEqual(['worker']);
  });

  test('S46: that is stopped takes SIGTERM once it goes on', async ({ room, hands }) => {
    // Not the pane's own process, which tmux would wake.
    const { pid } = await room.agent('worker', 'leaves', SHELL);
    process.kill(pid, 'SIGSTOP');
    await until('it is stopped', () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') T '));
    expect(await room.close(hands, 'worker')).toMatchObject({ state: 'refused', code: 'not-safe' });
    const result = await room.close(hands, 'worker', { isForced: true });
    expect(walked(result)).toEqual([
      ...['archive done', 'ask skipped', 'terminate done', 'remove done', 'sweep skipped'],
    ]);
    expect(lives(pid)).toBe(false);
  });

  test('S46: that ignores SIGTERM stands, unless it is forced', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'done+deaf');
    const timings = { ...SHORT, askMs: 200, terminateMs: 200, settleMs: 200 };
    const result = await room.close(hands, 'worker', {}, { timings });
    expect(result).toMatchObject({ state: 'failed', text: expect.stringContaining('still runs') });
    expect(lives(pid)).toBe(true);
    expect(outcomesIn(hands)).toEqual(['failed']);
    // It may still leave, and its session with it.
    expect(receiptsIn(hands)).toHaveLength(1);
    const forced = await room.close(hands, 'worker', { isForced: true }, { timings });
    expect(walked(forced)).toContain('kill done');
    expect(lives(pid)).toBe(false);
    expect(outcomesIn(hands)).toEqual(['failed', 'done']);
    expect(receiptsIn(hands)).toHaveLength(2);
  });

  test('S21, S45: a helper that outlives it is found by identity, and ended', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves+helper');
    const entry = await room.entry(hands, 'worker');
    const child = entry.evidence
      .flatMap((one) => (one.kind === 'processes' ? one.processes : []))
      .find((note) => note.pid !== pid && note.role !== 'agent');
    expect(child).toBeDefined();
    expect(walked(await room.close(hands, entry))).toContain('sweep done');
    expect(lives(child?.pid ?? 0)).toBe(false);
  });
});

describe.concurrent('what is refused', () => {
  const refusal = async ({ room, hands }: Scene, wish = {}) => {
    const result = await room.close(hands, 'worker', wish);
    expect(entriesOf(hands)).toEqual([]);
    expect(await room.names()).toContain('worker');
    if (result.state !== 'refused') throw new Error(JSON.stringify(result));
    return [...result.blockers, ...result.protections].map(({ code }) => code);
  };

  test('work', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    await room.agents.say('worker', 'working');
    expect(await refusal({ room, hands })).toContain('at-rest');
  });

  test('S16: a draft', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    await room.agents.say('worker', 'idle', 'draft');
    expect(await refusal({ room, hands })).toContain('nothing-unsent');
  });

  test('S45: a pane that a user added and works in', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    await room.tmux.tmux('split-window', '-d', '-t', '=worker:', 'sleep 1000');
    await until(
      'they work',
      () => room.entry(hands, 'worker'),
      ({ panes }) => panes.some(({ activity }) => activity === 'working'),
    );
    expect(await refusal({ room, hands })).toContain('nothing-running');
  });

  test('S19: a person who is attached, forced or not', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    const desk = new PrivateTmux('desk');
    try {
      await desk.session(
        'person',
        'env',
        '-u',
        'TMUX',
        'tmux',
        '-S',
        room.tmux.socketPath,
        'attach',
        '-t',
        '=worker',
      );
      await until(
        'attached',
        () => room.entry(hands, 'worker'),
        (one) => one.attached > 0,
      );
      expect(await refusal({ room, hands })).toContain('attached');
      expect(await refusal({ room, hands }, { isForced: true })).toContain('attached');
    } finally {
      desk.stop();
    }
  });

  test('S42: the session that rollcall runs in, whatever is said', async ({ room }) => {
    const { paneId } = await room.agent('worker', 'leaves');
    const inside = new ClosingRoom(
      {},
      {
        TMUX_TMPDIR: room.tmux.folder,
        TMUX: `${room.tmux.socketPath},${room.tmux.serverPid},0`,
        TMUX_PANE: paneId,
      },
    );
    try {
      const own = await inside.hands({}, [room.tmux.socketPath]);
      const wish = { isForced: true, despite: ['own-session', 'attached', 'recent-input'] };
      expect(await room.close(own, 'worker', wish)).toMatchObject({ state: 'refused', code: 'own-session' });
      expect(await room.names()).toEqual(['worker']);
    } finally {
      inside.leave();
    }
  });

  test('a held one, unless that is named', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const entry = await room.entry(hands, 'worker');
    hands.ledger.append({ kind: 'declared', action: 'hold', session: entry, body: { reason: 'mine' } });
    const held = await room.close(hands, 'worker', { isForced: true });
    expect(held).toMatchObject({
      state: 'refused',
      protections: expect.arrayContaining([expect.objectContaining({ code: 'held' })]),
    });
    expect(lives(pid)).toBe(true);
    expect(receiptOf(await room.close(hands, 'worker', { despite: ['held'] })).despite).toEqual(['held']);
  });

  test('S39: what began after its processes were listed, forced or not', async ({ room, hands }) => {
    const { paneId } = await room.tmux.session('mine', 'sh', '-c', SHELL);
    const shown = await room.entry(hands, 'mine');
    await room.tmux.tmux('send-keys', '-t', paneId, 'sleep 1000', 'Enter');
    // Before it is what was typed, it is a second shell.
    await until(
      'it works',
      () => room.entry(hands, 'mine'),
      ({ evidence }) =>
        evidence.some(
          (one) => one.kind === 'processes' && one.processes.some(({ program }) => program === 'sleep'),
        ),
    );
    expect(await room.close(hands, shown, { isForced: true })).toMatchObject({
      ...{ state: 'refused', code: 'not-safe', text: expect.stringMatching(/^sleep \(pid \d+\) began/) },
    });
    expect(await room.names()).toContain('mine');
    expect(await room.close(hands, 'mine', { isForced: true })).toMatchObject({ state: 'closed' });
  });

  test('S39: a turn that began after its processes were listed, forced or not', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'deaf');
    const shown = await room.entry(hands, 'worker');
    await room.agents.say('worker', 'working');
    expect(await room.close(hands, shown, { isForced: true })).toMatchObject({
      ...{ state: 'refused', code: 'not-safe', text: expect.stringContaining('since it was looked at') },
    });
    expect(lives(pid)).toBe(true);
  });

  test('S51: a session that shares its windows; forced, only it goes', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves');
    await room.tmux.tmux('new-session', '-d', '-t', '=worker', '-s', 'window-on-it');
    expect(await refusal({ room, hands })).toContain('windows-own');
    const result = await room.close(hands, 'worker', { isForced: true });
    expect(walked(result)).toEqual(['archive done', 'remove done', 'sweep skipped']);
    expect(receiptOf(result).notes.join()).toContain('live on');
    expect(await room.names()).toEqual(['window-on-it']);
    expect(lives(pid)).toBe(true);
  });

  test('one that is not seen quiet for long enough within the time', async () => {
    const slow = new ClosingRoom({ confirmMs: 3_600_000 });
    try {
      await slow.agent('worker', 'leaves');
      const own = await slow.hands();
      const waits: string[] = [];
      const result = await slow.close(
        own,
        'worker',
        {},
        {
          timings: { ...SHORT, decideMs: 300 },
          onProgress: (progress) => waits.push(progress.state),
        },
      );
      expect(result).toMatchObject({ state: 'timed-out', blockers: [{ code: 'confirmed' }] });
      expect(waits).toContain('waits');
      expect(await slow.names()).toEqual(['worker']);
    } finally {
      slow.leave();
    }
  });
});

describe.concurrent('S39: what changes on the way stops it, and the session stands', () => {
  const CHANGES: readonly [string, (scene: Scene, paneId: string) => Promise<unknown>, RegExp][] = [
    ['a new turn', ({ room }) => room.agents.say('worker', 'working'), /working/],
    ['a draft', ({ room }) => room.agents.say('worker', 'idle', 'draft'), /not sent/],
    ['copy mode', ({ room }, pane) => room.tmux.tmux('copy-mode', '-t', pane), /copy mode/],
    [
      'a pane that is added',
      ({ room }, pane) => room.tmux.tmux('split-window', '-d', '-t', pane),
      /was added/,
    ],
    [
      'S41: another program in its pane',
      ({ room }, pane) => room.tmux.tmux('respawn-pane', '-k', '-t', pane, 'sleep 1000'),
      /another program/,
    ],
    [
      'a hold',
      async ({ room, hands }) => {
        const session = await room.entry(hands, 'worker');
        hands.ledger.append({ kind: 'declared', action: 'hold', session, body: { reason: null } });
      },
      /held/,
    ],
  ];

  test.for(CHANGES)('%s', async ([_, change, text], { room, hands }) => {
    const { paneId } = await room.agent('worker', 'leaves');
    let changed: Promise<unknown> = Promise.resolve();
    const changing = await room.hands({
      look: async (options) => {
        await changed;
        return hands.look(options);
      },
      onStep: (step, when) => {
        if (step === 'intent' && when === 'after') changed = change({ room, hands }, paneId);
      },
    });
    const result = await room.close(changing, 'worker');
    expect(result).toMatchObject({ state: 'aborted', text: expect.stringMatching(text) });
    expect(await room.names()).toEqual(['worker']);
    expect(outcomesIn(hands)).toEqual(['aborted']);
    expect(receiptsIn(hands)).toEqual([]);
  });

  test('text that somebody types at the same moment stays, and what is ours is taken back', async ({
    room,
    hands,
  }) => {
    const { paneId, pid } = await room.agent('worker', 'leaves');
    const tmux = hands.tmux;
    const racing = await room.hands({
      tmux: {
        ...tmux,
        type: async (...typed) => {
          await room.tmux.tmux('send-keys', '-t', paneId, '-l', 'my own words ');
          return tmux.type(...typed);
        },
      },
    });
    expect(await room.close(racing, 'worker')).toMatchObject({ state: 'aborted' });
    expect(lives(pid)).toBe(true);
    await until(
      'only the words are left',
      () => room.tmux.tmux('capture-pane', '-p', '-t', paneId),
      (screen) => /> my own words\s*$/.test(screen),
    );
  });

  test('an exit that is typed when the agent has just left never reaches the shell', async ({
    room,
    hands,
  }) => {
    const { paneId, pid } = await room.agent('worker', 'leaves', SHELL);
    const tmux = hands.tmux;
    let screen = '';
    const racing = await room.hands({
      tmux: {
        ...tmux,
        type: async (...typed) => {
          process.kill(pid, 'SIGKILL');
          await untilGone(pid);
          await until(
            'the shell',
            () => room.tmux.tmux('capture-pane', '-p', '-t', paneId),
            (one) => /\$ *$/.test(one),
          );
          return tmux.type(...typed);
        },
        removeSession: async (...removed) => {
          screen = await room.tmux.tmux('capture-pane', '-p', '-t', paneId);
          return tmux.removeSession(...removed);
        },
      },
    });
    expect(walked(await room.close(racing, 'worker'))).toContain('remove done');
    // Neither run nor left standing behind the prompt.
    expect(screen.trimEnd()).toMatch(/\n\$$/);
    expect(screen).not.toContain('/exit');
    expect(await room.names()).toEqual([]);
  });
});

describe.concurrent('identity', () => {
  test('S2: another session of the same name is not touched', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    await room.tmux.session('stays');
    const entry = await room.entry(hands, 'worker');
    await room.tmux.tmux('kill-session', '-t', '=worker');
    await room.agent('worker', 'leaves');
    expect(await room.close(hands, entry)).toEqual({ state: 'vanished' });
    expect(await room.names()).toEqual(['stays', 'worker']);
  });

  test('S3: the same ids on another server are not touched', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    const entry = await room.entry(hands, 'worker');
    await room.tmux.killServer();
    await room.agent('worker', 'leaves');
    expect((await room.entry(hands, 'worker')).sessionId).toBe(entry.sessionId);
    expect(await room.close(hands, entry)).toEqual({ state: 'vanished' });
    expect(await room.names()).toEqual(['worker']);
  });

  test('S4: a rename is nothing', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const entry = await room.entry(hands, 'worker');
    await room.tmux.tmux('rename-session', '-t', '=worker', 'other');
    expect((await room.close(hands, entry)).state).toBe('closed');
    expect(lives(pid)).toBe(false);
  });

  test('S4: a pane that is moved to another session lives on', async ({ room, hands }) => {
    const { paneId, pid } = await room.agent('worker', 'leaves');
    await room.tmux.session('other');
    let changed: Promise<unknown> = Promise.resolve();
    const changing = await room.hands({
      look: async (options) => {
        await changed;
        return hands.look(options);
      },
      onStep: (step, when) => {
        if (step === 'intent' && when === 'after') {
          changed = room.tmux.tmux('join-pane', '-d', '-s', paneId, '-t', '=other:');
        }
      },
    });
    expect(await room.close(changing, 'worker')).toMatchObject({
      state: 'aborted',
      text: expect.stringContaining('was moved'),
    });
    expect(lives(pid)).toBe(true);
  });
});

describe.concurrent('two at once, and what fails between', () => {
  // So many at once would be in the way of all others.
  test.sequential('S40: of fifty closers one acts, and there is one receipt', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    const entry = await room.entry(hands, 'worker');
    const results = await Promise.all(Array.from({ length: 50 }, () => room.close(hands, entry)));
    const states = results.map((one) => (one.state === 'refused' ? one.code : one.state));
    expect(states.filter((state) => state === 'closed')).toHaveLength(1);
    for (const state of states) {
      expect(['closed', 'already-closing', 'already-closed']).toContain(state);
    }
    expect(receiptsIn(hands)).toHaveLength(1);
    expect(hands.ledger.verify().damage).toBeNull();
  });

  test('S36: without a durable intent nothing is done', async ({ room }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const { LedgerError } = await import('../../src/core/ledger/ledger-error.ts');
    const full = await room.hands();
    const broken = {
      ...full,
      ledger: {
        ...full.ledger,
        read: () => full.ledger.read(),
        append: () => {
          throw new LedgerError('full', 'no room', 'make room');
        },
      },
    };
    await expect(room.close(broken, 'worker')).rejects.toThrow('no room');
    expect(lives(pid)).toBe(true);
    expect(await room.tmux.tmux('capture-pane', '-p', '-t', '=worker:')).not.toContain('/exit');
  });

  test('an archive that cannot be written keeps the session', async ({ room, hands }) => {
    const { pid } = await room.agent('worker', 'leaves');
    const full = await room.hands({
      archive: { ...hands.archive, write: () => ({ state: 'failed', text: 'no room', hint: 'make room' }) },
    });
    expect(await room.close(full, 'worker')).toMatchObject({ state: 'failed', text: 'no room' });
    expect(lives(pid)).toBe(true);
    expect(entriesOf(hands)).toEqual([]);
  });

  test('S41: what brings it back is told in the receipt', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    await room.tmux.session('stays');
    await room.tmux.tmux('set-hook', '-g', 'session-closed', 'new-session -d -s worker');
    const result = await room.close(hands, 'worker');
    expect(receiptOf(result).notes.join()).toContain('took its name');
    expect(await room.names()).toContain('worker');
  });

  test('a lost session is settled, and nothing is touched', async ({ room, hands }) => {
    await room.agent('worker', 'leaves');
    await room.tmux.session('stays');
    const { server, sessionId, createdAt, key, name } = await room.entry(hands, 'worker');
    const { socketPath, pid, startTicks } = server;
    hands.ledger.append({
      kind: 'declared',
      action: 'adopt',
      session: { key, name },
      body: {
        server: { socketPath, pid, startTicks },
        sessionId,
        createdAtSeconds: createdAt / 1000,
        claims: { task: 'T-1' },
      },
    });
    await room.tmux.tmux('kill-session', '-t', '=worker');
    const lost = await until(
      'lost',
      () => room.entry(hands, 'worker'),
      (one) => one.lifecycle === 'lost',
    );
    expect(receiptOf(await room.close(hands, lost))).toMatchObject({
      result: 'gone',
      claims: { task: 'T-1' },
    });
    expect(factsIn(hands).get(key)?.closed).not.toBeNull();
    expect((await hands.look()).sessions.map((one) => one.name)).toEqual(['stays']);
    expect(await room.close(hands, lost)).toMatchObject({ state: 'already-closed' });
  });
});

test.concurrent('S43: the worker that finished, said "Done." to /exit and stayed: complete, kept for its time, closed, and back', async ({
  room,
}) => {
  const { defaultRole } = room.settings.policy;
  // Rest alone would not do for an hour.
  const keptFor = (retainForMs: number) => ({
    idleAfterMs: 3_600_000,
    defaultRole: { ...defaultRole, retainForMs },
  });
  const slow = new ClosingRoom(keptFor(3_600_000));
  try {
    const before = await slow.hands();
    const argv = slow.agents.argv('worker', 'done');
    const ran = await run(before, slow.wish({ argv, claims: { task: 'T-1' } }));
    if (ran.state !== 'started' || ran.entry === null) throw new Error(JSON.stringify(ran));
    const pid = await slow.agents.pid('worker');
    const evidence = {
      outcome: 'done',
      task: 'T-1',
      evidence: ['merged'],
      blockers: [],
      fromPane: ran.entry.panes[0]?.paneId ?? null,
    } as const;
    expect(await complete(before, ran.entry, evidence)).toMatchObject({ state: 'declared' });
    const due = { isAutomatic: true };
    const kept = await until(
      'it is kept',
      () => slow.entry(before, 'worker'),
      (one) => one.lifecycle === 'completed-retained',
    );
    expect(await slow.close(before, kept, due)).toMatchObject({
      state: 'refused',
      text: expect.stringContaining('merged'),
    });
    slow.policy = keptFor(1500);
    const own = await slow.hands();
    await until(
      'it is due',
      () => slow.entry(own, 'worker'),
      (one) => one.lifecycle === 'safe-to-close',
    );
    const result = await slow.close(own, 'worker', due);
    expect(walked(result)).toEqual(['archive done', 'ask unanswered', 'terminate done', 'sweep skipped']);
    expect(receiptOf(result)).toMatchObject({ isForced: false, claims: { task: 'T-1' }, waived: [] });
    expect(lives(pid)).toBe(false);

    const found = findReceipt(entriesOf(own), 'worker');
    if (found.state !== 'one') throw new Error(JSON.stringify(found));
    const order = { closed: found.closed, socketPath: slow.tmux.socketPath, shell: '/bin/sh', argv: [] };
    const again = await reopenSession(own, { ...order, name: null, onCollision: 'fail' });
    expect(again).toMatchObject({ state: 'reopened', name: 'worker' });
    await until(
      'its conversation goes on',
      () => slow.entry(own, 'worker'),
      (one) => one.agent?.conversation === 'talk-worker' && one.activity === 'idle',
    );
    expect(own.ledger.verify().damage).toBeNull();
  } finally {
    slow.leave();
  }
});
