import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest';
import { readReceived } from '../../src/core/close/bodies.ts';
import { findReceipt } from '../../src/core/close/find-receipt.ts';
import { recoverAll } from '../../src/engine/act/recover.ts';
import { reopenSession } from '../../src/engine/act/reopen/reopen-session.ts';
import { entriesOf } from '../engine/act/acting-room.ts';
import { ClosingRoom, SHORT } from '../engine/act/closing-room.ts';
import { OwnProcess } from '../support/own-process.ts';
import { hasPrivateMounts, PRIVATE_MOUNTS } from '../support/private-mounts.ts';
import { ClaudeProgram } from './claude-program.ts';

let own: OwnProcess;

beforeAll(async () => {
  own = await OwnProcess.prepare(
    [
      'src/compose/hands.ts',
      'src/engine/act/close/close-session.ts',
      'src/engine/act/reopen/reopen-session.ts',
      'src/core/close/find-receipt.ts',
      'src/adapters/archive/conversations/conversations-folder.ts',
    ],
    `import * as rollcall from './module.mjs';
    const [request] = args.map((one) => JSON.parse(one));`,
  );
});
afterAll(() => own.remove());

const HANDS = `
  Object.assign(process.env, request.env);
  const settings = { ...request.settings, roles: new Map(), policy: { ...request.settings.policy, roles: new Map() } };
  const onStep = (step, when) => {
    if (step === request.step && when === request.when) process.kill(process.pid, 'SIGKILL');
  };
  const hands = await rollcall.composeHands(process.env, settings, { sockets: request.sockets, onStep });`;
const CLOSE = `${HANDS}
  const entry = (await hands.look()).sessions.find(({ name }) => name === 'worker');
  const wish = { isForced: true, despite: [], isAutomatic: false };
  await rollcall.closeSession(hands, { entry, wish, reason: null, argv: [], timings: request.timings, onProgress() {} });`;
const REOPEN = `${HANDS}
  const { closed } = rollcall.findReceipt(hands.ledger.read().entries, 'worker');
  await rollcall.reopenSession(hands, {
    closed, socketPath: request.sockets[0], name: null, onCollision: 'fail', shell: '/bin/sh', argv: [],
  });`;

class Crashes extends ClosingRoom {
  readonly claude = new ClaudeProgram(this);
  // Its own: agents of the whole machine are asked which of them has it.
  readonly id: string = crypto.randomUUID();
  readonly transcript = this.claude.transcript(this.id);

  async started(): Promise<void> {
    const home = `HOME=${this.claude.home}`;
    await this.tmux.session('worker', 'env', home, this.claude.path, '--session-id', this.id);
    await this.claude.started();
  }

  /** Does it in a process of its own, which is killed at that step; tells how it ended. */
  killedAt([when, step]: readonly [string, string], body: string): Promise<NodeJS.Signals | string | 0> {
    const { XDG_STATE_HOME, TMUX_TMPDIR } = this.env;
    const request = {
      ...{ step, when, settings: this.settings, sockets: [this.tmux.socketPath], timings: SHORT },
      env: { XDG_STATE_HOME, TMUX_TMPDIR, HOME: this.claude.home },
    };
    return own.end(body, JSON.stringify(request));
  }
}

const test = base.extend<{ room: Crashes }>({
  room: async ({ task: _ }, use) => {
    const room = new Crashes();
    await room.tmux.session('stays');
    await use(room);
    room.leave();
  },
});

describe.concurrent('endings 6: killed on the way', () => {
  test.for([
    ['before', 'conversations'],
    ['after', 'conversations'],
    ['after', 'receipt'],
  ] as const)('a close, %s %s', async (moment, { room }) => {
    await room.started();
    expect(await room.killedAt(moment, CLOSE)).toBe('SIGKILL');
    const hands = await room.hands();
    await recoverAll(hands);
    expect(hands.ledger.verify().damage).toBeNull();
    const receipts = entriesOf(hands).filter(({ kind }) => kind === 'receipt');
    expect(receipts.flatMap(({ body }) => readReceived(body).conversations)).toMatchObject([
      { conversation: room.id, isProven: true, notKept: null },
    ]);
    // The copy is the one that the receipt tells of, and there is no other.
    const [name = ''] = readdirSync(join(room.state, 'rollcall', 'conversations'));
    rmSync(room.transcript);
    const [kept] = readReceived(receipts[0]?.body ?? {}).conversations;
    expect(await hands.conversations.putBack(name, kept?.copy ?? '')).toEqual({
      ...{ state: 'done', paths: [room.transcript] },
    });
  });

  test.for([
    ['before', 'put-back'],
    ['after', 'put-back'],
  ] as const)('a reopening, %s %s', async (moment, { room }) => {
    await room.started();
    const hands = await room.hands();
    expect(await room.close(hands, 'worker', { isForced: true })).toMatchObject({ state: 'closed' });
    const said = readFileSync(room.transcript, 'utf8');
    rmSync(room.transcript);
    expect(await room.killedAt(moment, REOPEN)).toBe('SIGKILL');
    expect(existsSync(room.transcript)).toBe(moment[0] === 'after');
    await recoverAll(hands);
    const found = findReceipt(entriesOf(hands), 'worker');
    if (found.state !== 'one') throw new Error(found.state);
    const result = await reopenSession(hands, {
      ...{ closed: found.closed, socketPath: room.tmux.socketPath, name: null, onCollision: 'fail' },
      ...{ shell: '/bin/sh', argv: [] },
    });
    expect(result).toMatchObject({
      state: 'reopened',
      putBack: moment[0] === 'after' ? [] : [room.transcript],
    });
    expect(readFileSync(room.transcript, 'utf8').startsWith(said)).toBe(true);
  });
});

describe.skipIf(!hasPrivateMounts)('endings 6: a full disk', () => {
  base('while a conversation is copied loses nothing and says so', () => {
    const room = mkdtempSync(join(tmpdir(), 'copies-'));
    try {
      const [disk, path] = [join(room, 'disk'), join(room, 'c.jsonl')];
      mkdirSync(disk);
      // Nothing that could be compressed into one megabyte.
      const noise = Array.from({ length: 200_000 }, () => Math.random().toString(36)).join('\n');
      writeFileSync(path, noise);
      const told = own.run(
        PRIVATE_MOUNTS,
        `mount -t tmpfs -o size=1m,mode=700 none ${disk}`,
        `const { readdirSync } = await import('node:fs');
        const { disk, path } = request;
        const copies = rollcall.createConversations({
          folder: disk + '/copies', maxBytes: 2 ** 30, now: Date.now, isFolder: () => true, spareBytes: 0,
        });
        const clues = { kind: 'claude', conversation: 'c', transcript: path, env: {}, cwd: null };
        const kept = await copies.keep('r1-0', clues, [path]);
        console.log(JSON.stringify({ kept, left: readdirSync(disk + '/copies') }));`,
        JSON.stringify({ disk, path }),
      );
      expect(told).toEqual({
        kept: { state: 'not-kept', text: expect.stringMatching(/no space left on device.*; make room/) },
        left: [],
      });
      expect(readFileSync(path, 'utf8')).toBe(noise);
    } finally {
      rmSync(room, { recursive: true });
    }
  });
});
