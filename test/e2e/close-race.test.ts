import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Hands } from '../../src/engine/act/hands.ts';
import { ClosingRoom, lives, outcomesIn, receiptsIn, SHORT } from '../engine/act/closing-room.ts';
import { OwnProcess } from '../support/own-process.ts';
import { until } from '../support/until.ts';

/** Each with hands of its own, some of them in one process: there are five closers in each. */
const PROCESSES = 10;
const CLOSERS = 50;

let own: OwnProcess;
let room: ClosingRoom;
let hands: Hands;

beforeAll(async () => {
  own = await OwnProcess.prepare(
    ['src/compose/hands.ts', 'src/engine/act/close/close-session.ts'],
    `import * as fs from 'node:fs';
    import * as rollcall from './module.mjs';
    const request = JSON.parse(args[0]);
    Object.assign(process.env, request.env);
    const settings = { ...request.settings, roles: new Map(), policy: { ...request.settings.policy, roles: new Map() } };
    const compose = () => rollcall.composeHands(process.env, settings, { sockets: request.sockets });
    const all = await Promise.all(Array.from({ length: request.closers }, compose));`,
  );
});
afterAll(() => own.remove());
beforeEach(async () => {
  room = new ClosingRoom();
  hands = await room.hands();
});
afterEach(() => room.leave());

// Ready, and off at the same signal as all others.
const CLOSE = `
  fs.writeSync(1, 'ready\\n');
  while (!fs.existsSync(request.go)) await new Promise((resolve) => setTimeout(resolve, 25));
  await Promise.all(all.map(async (hands) => {
    const result = await rollcall.closeSession(hands, {
      entry: request.entry, wish: { isForced: false, despite: [], isAutomatic: false },
      reason: 'race', argv: [], timings: request.timings, onProgress() {},
    });
    hands.ledger.close();
    fs.writeSync(1, (result.state === 'refused' ? result.code : result.state) + '\\n');
  }));`;

function heard(child: ChildProcess): { text: string; exitCode: number | null } {
  const said = { text: '', exitCode: null as number | null };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said.text += chunk;
  });
  child.on('close', (code) => {
    said.exitCode = code ?? -1;
  });
  return said;
}

test('S40: of fifty closers in ten processes one acts, and the others are told', async () => {
  const { pid } = await room.agent('worker', 'leaves');
  await room.tmux.session('stays');
  const counter = join(room.tmux.folder, 'exits');
  await room.tmux.tmux('pipe-pane', '-t', '=worker:', `cat > ${counter}.new; mv ${counter}.new ${counter}`);
  const { XDG_STATE_HOME, TMUX_TMPDIR, ROLLCALL_SCRIPTED_AGENT } = room.env;
  const go = join(room.tmux.folder, 'go');
  const request = JSON.stringify({
    ...{ go, closers: CLOSERS / PROCESSES },
    ...{ entry: await room.entry(hands, 'worker'), settings: room.settings, timings: SHORT },
    ...{ sockets: [room.tmux.socketPath], env: { XDG_STATE_HOME, TMUX_TMPDIR, ROLLCALL_SCRIPTED_AGENT } },
  });
  const closers = Array.from({ length: PROCESSES }, () =>
    heard(own.startWith(['ignore', 'pipe', 'inherit'], CLOSE, request)),
  );
  const all = (holds: (one: (typeof closers)[number]) => boolean) => () => closers.every(holds);
  await until(
    'all are ready',
    all(({ text }) => text.startsWith('ready')),
  );
  writeFileSync(go, '');
  await until(
    'all have ended',
    all(({ exitCode }) => exitCode !== null),
  );

  expect(closers.map(({ exitCode }) => exitCode)).toEqual(Array(PROCESSES).fill(0));
  const states = closers.flatMap(({ text }) => text.trim().split('\n').slice(1));
  expect(states).toHaveLength(CLOSERS);
  expect(states.filter((state) => state === 'closed')).toHaveLength(1);
  expect(states.filter((state) => !['closed', 'already-closing', 'already-closed'].includes(state))).toEqual(
    [],
  );
  expect(receiptsIn(hands)).toHaveLength(1);
  expect(outcomesIn(hands)).toEqual(['done']);
  expect(hands.ledger.verify().damage).toBeNull();
  expect(lives(pid)).toBe(false);
  expect(await room.names()).toEqual(['stays']);
  // Its exit was typed once. What was shown is whole when the pane has gone.
  await until('all of it is written', () => existsSync(counter));
  expect(readFileSync(counter, 'utf8').match(/\/exit/g)).toHaveLength(1);
});

test('S40: who comes between its end and its receipt is told that it is being closed', async () => {
  await room.agent('worker', 'leaves');
  await room.tmux.session('stays');
  const entry = await room.entry(hands, 'worker');
  const late = await room.hands();
  let told: unknown = null;
  const closer = await room.hands({
    look: async (options) => {
      const roll = await hands.look(options);
      if (!(await room.names()).includes('worker')) told ??= await room.close(late, entry);
      return roll;
    },
  });
  expect(await room.close(closer, entry)).toMatchObject({ state: 'closed' });
  expect(told).toMatchObject({ state: 'already-closing' });
  expect(await room.close(late, entry)).toMatchObject({ state: 'already-closed' });
  expect(receiptsIn(hands)).toHaveLength(1);
});

test('S41: what a hook starts in its pane is noticed up to the last moment, told and not fought', async () => {
  const { pid } = await room.agent('worker', 'leaves');
  await room.tmux.tmux('set-option', '-g', 'remain-on-exit', 'on');
  await room.tmux.tmux('set-hook', '-g', 'pane-died', 'respawn-pane');
  const { tmux } = hands;
  const racing = await room.hands({
    tmux: {
      ...tmux,
      // Its pane was seen dead; by the time that tmux is to remove it, the hook has been there.
      removeSession: async (terms) => {
        await until(
          'the hook has started it again',
          async () => {
            await tmux.wake(terms.stance.session);
            return room.agents.pid('worker');
          },
          (again) => again !== pid && lives(again),
        );
        return tmux.removeSession(terms);
      },
    },
  });
  expect(await room.close(racing, 'worker')).toMatchObject({ state: 'aborted' });
  expect(lives(pid)).toBe(false);
  await until(
    'it is back',
    () => room.agents.pid('worker'),
    (again) => again !== pid && lives(again),
  );
  expect(await room.names()).toEqual(['worker']);
  // What was ended can be started again.
  expect([receiptsIn(hands).length, outcomesIn(hands)]).toEqual([1, ['aborted']]);
});

test('S41: what another supervisor starts in its dead pane just before it is removed is left to it', async () => {
  const { paneId, pid } = await room.agent('worker', 'leaves');
  await room.tmux.tmux('set-option', '-g', 'remain-on-exit', 'on');
  const { tmux } = hands;
  let isSeenDead = false;
  const racing = await room.hands({
    tmux: {
      ...tmux,
      removeSession: async (...removed) => {
        isSeenDead = true;
        await room.tmux.tmux('respawn-pane', '-t', paneId);
        return tmux.removeSession(...removed);
      },
    },
  });
  expect(await room.close(racing, 'worker')).toMatchObject({
    state: 'aborted',
    text: expect.stringContaining('not the same any more'),
  });
  expect([isSeenDead, lives(pid), await room.names()]).toEqual([true, false, ['worker']]);
  // What was ended can be started again.
  expect([receiptsIn(hands).length, outcomesIn(hands)]).toEqual([1, ['aborted']]);
});
