import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Hands } from '../../src/engine/act/hands.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { ClosingRoom, lives, receiptsIn } from '../engine/act/closing-room.ts';
import { rollcall } from '../support/command.ts';
import { rollcallInside } from '../support/in-process.ts';
import { OwnProcess } from '../support/own-process.ts';
import { hasPrivateMounts, PRIVATE_MOUNTS } from '../support/private-mounts.ts';
import { until } from '../support/until.ts';

let own: OwnProcess;
let room: ClosingRoom;
let hands: Hands;

beforeAll(async () => {
  own = await OwnProcess.prepare(
    [
      'src/compose/hands.ts',
      'src/config/settings.ts',
      'src/core/close/find-receipt.ts',
      'src/core/ledger/current-facts.ts',
      'src/engine/act/close/close-session.ts',
      'src/engine/act/recover.ts',
      'src/engine/act/reopen/reopen-session.ts',
      'src/engine/act/run.ts',
    ],
    `import * as fs from 'node:fs';
    import * as rollcall from './module.mjs';`,
  );
});
afterAll(() => own.remove());
beforeEach(async () => {
  room = new ClosingRoom();
  hands = await room.hands();
});
afterEach(() => room.leave());

describe('S36: a ledger that another process holds', () => {
  // Whoever wants to write waits for it first.
  const HOLD = `const { DatabaseSync } = await import('@photostructure/sqlite');
    const database = new DatabaseSync(args[0]);
    database.exec('BEGIN EXCLUSIVE');
    fs.writeSync(1, 'held');
    // A database that nobody needs any more would be closed.
    setInterval(() => database.isOpen, 1000);`;
  let holder: ChildProcess;

  async function holdLedger(): Promise<void> {
    holder = own.startWith(['ignore', 'pipe', 'inherit'], HOLD, join(room.state, 'rollcall', 'ledger.db'));
    const [said] = await once(holder.stdout as NonNullable<ChildProcess['stdout']>, 'data');
    expect(String(said)).toBe('held');
  }
  afterEach(() => holder.kill('SIGKILL'));

  test('nothing is done, and afterwards all of it works', async () => {
    const { pid } = await room.agent('worker', 'leaves');
    const here = (command: string, ...argv: string[]) =>
      rollcall([command, '--server', room.tmux.socketPath, ...argv], room.env);
    const inside = (...argv: string[]) =>
      rollcallInside([...argv, '--server', room.tmux.socketPath], room.env);
    expect((await inside('adopt', 'worker')).exitCode).toBe(0);
    await holdLedger();
    const acts = [
      ['run', '--name', 'other', '--', 'sleep', '1000'],
      ['complete', 'worker'],
      ['close', 'worker', '--force'],
    ];
    for (const [command = '', ...argv] of acts) {
      const { exitCode, stdout, stderr } = await here(command, ...argv);
      expect([command, exitCode]).toEqual([command, 1]);
      expect(stdout + stderr).toMatch(/the ledger: .*ledger\.db: database is locked/);
      expect(stdout + stderr).toMatch(/hint: another process holds it/);
    }
    expect(await room.names()).toEqual(['worker']);
    expect(lives(pid)).toBe(true);
    expect(await room.tmux.tmux('capture-pane', '-p', '-t', '=worker:')).not.toContain('/exit');
    expect(entriesOf(hands).map(({ action }) => action)).toEqual(['adopt']);

    holder.kill('SIGKILL');
    await once(holder, 'close');
    // A close that something stirred on its way, on a machine that is busy, is asked for again.
    const close = () => inside('close', 'worker', '--force');
    await until('it is closed', close, ({ exitCode }) => exitCode === 0);
    expect(lives(pid)).toBe(false);
    expect(receiptsIn(hands)).toHaveLength(1);
    expect(hands.ledger.verify().damage).toBeNull();
  });
});

/** Does it on a disk that becomes full after one step, and again when there is room. */
const ON_A_FULL_DISK = `
  const request = JSON.parse(args[0]);
  Object.assign(process.env, request.env);
  const filler = process.env.XDG_STATE_HOME + '/filler';
  const fill = () => {
    const file = fs.openSync(filler, 'a');
    try { for (;;) fs.writeSync(file, Buffer.alloc(4096)); } catch {} finally { fs.closeSync(file); }
  };
  let fullAfter = null;
  const onStep = (step, when) => { if (step === fullAfter && when === 'after') fill(); };
  const settings = rollcall.toSettings(rollcall.defaultValues());
  const hands = await rollcall.composeHands(process.env, settings, { sockets: [request.wish.socketPath], onStep });
  const entry = async () => (await hands.look()).sessions.find(({ name }) => name === 'worker');
  const said = [];
  const tell = (name, { state, error, isGone }) => said.push({ name, state, code: error?.code, isGone });
  const mend = async () => {
    fs.rmSync(filler);
    fullAfter = null;
    const recovered = await rollcall.recoverAll(hands);
    said.push(...recovered.map(({ intent, body }) => ({ recovered: intent.action, result: body.result })));
    if ((await rollcall.recoverAll(hands)).length > 0) throw new Error('recovered twice');
  };

  fullAfter = 'start';
  tell('run', await rollcall.run(hands, request.wish));
  const first = (await entry()).key;
  await mend();

  const wish = { isForced: true, despite: [], isAutomatic: false };
  const closing = { entry: await entry(), wish, reason: null, argv: [], timings: request.timings, onProgress() {} };
  fullAfter = 'terminate';
  tell('close', await rollcall.closeSession(hands, closing));
  await mend();

  const { closed } = rollcall.findReceipt(hands.ledger.read().entries, 'worker');
  const order = { closed, socketPath: request.wish.socketPath, name: null, onCollision: 'fail', shell: '/bin/sh', argv: [] };
  fullAfter = 'start';
  tell('reopen', await rollcall.reopenSession(hands, order));
  await mend();
  const second = (await entry()).key;
  tell('reopen', await rollcall.reopenSession(hands, order));

  const facts = rollcall.currentFacts(hands.ledger.read().entries);
  const how = [first, second].map((key) => facts.get(key)?.origin?.how);
  const sessions = (await hands.look()).sessions.map(({ name }) => name);
  console.log(JSON.stringify({ said, how, sessions, damage: hands.ledger.verify().damage, isReopened: facts.get(first)?.reopened?.key === second }));
  hands.ledger.close();`;

describe.skipIf(!hasPrivateMounts)('S36, S40: a disk that becomes full between intent and outcome', () => {
  test('what was done is said and recorded later, once', async () => {
    const { XDG_STATE_HOME, TMUX_TMPDIR } = room.env;
    const request = {
      wish: room.wish({ argv: ['sleep', '1000'] }),
      timings: {
        decideMs: 3000,
        lookEveryMs: 50,
        typedMs: 500,
        askMs: 500,
        terminateMs: 8000,
        killMs: 20_000,
        settleMs: 20_000,
        pollMs: 20,
      },
      env: { XDG_STATE_HOME, TMUX_TMPDIR },
    };
    const mount = `mount -t tmpfs -o size=1m,mode=700 none ${room.state}`;
    expect(own.run(PRIVATE_MOUNTS, mount, ON_A_FULL_DISK, JSON.stringify(request))).toEqual({
      said: [
        { name: 'run', state: 'unrecorded', code: 'full' },
        { recovered: 'run', result: 'done' },
        { name: 'close', state: 'unrecorded', isGone: true },
        { recovered: 'close', result: 'done' },
        { name: 'reopen', state: 'unrecorded', code: 'full' },
        { recovered: 'reopen', result: 'done' },
        { name: 'reopen', state: 'lives' },
      ],
      how: ['started', 'reopened'],
      sessions: ['worker'],
      damage: null,
      isReopened: true,
    });
  });
});
