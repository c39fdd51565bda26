import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rollDocumentSchema } from '../../src/contract/document-schemas.ts';
import { toRollDocument } from '../../src/contract/roll-document.ts';
import { PrivateTmux } from '../support/private-tmux.ts';
import { realLook } from '../support/real-look.ts';
import { until } from '../support/until.ts';

let tmux: PrivateTmux;
let other: PrivateTmux;

beforeEach(() => {
  tmux = new PrivateTmux('first');
  other = new PrivateTmux('second');
});
afterEach(() => {
  tmux.stop();
  other.stop();
});

describe('a server that does not answer', () => {
  test('S32: sessions of a stopped server stay on the roll as unknown, and the others are right', async () => {
    await tmux.session('mine');
    await other.session('theirs');
    const look = realLook([tmux, other]);
    await look.roll();
    process.kill(tmux.serverPid, 'SIGSTOP');
    const stopped = await until(
      'the server is seen stopped',
      () => look.roll(),
      (roll) => roll.problems.some((problem) => problem.code === 'server-stopped'),
    );
    const mine = stopped.sessions.find((session) => session.name === 'mine');
    expect(mine).toMatchObject({
      activity: 'unknown',
      lifecycle: 'unknown',
      server: { pid: tmux.serverPid },
    });
    expect(stopped.sessions.find((session) => session.name === 'theirs')).toMatchObject({ activity: 'none' });
    const document = v.parse(rollDocumentSchema, toRollDocument(stopped));
    expect(document.sessions.find((session) => session.name === 'mine')?.blockers).not.toEqual([]);

    process.kill(tmux.serverPid, 'SIGCONT');
    const woken = await until(
      'it answers again',
      () => look.roll(),
      (roll) => roll.problems.length === 0,
    );
    expect(woken.sessions.find((session) => session.name === 'mine')).toMatchObject({
      key: mine?.key,
      activity: 'none',
    });
  });

  test('S32: a stopped server that was never seen before shows its sessions by number', async () => {
    await tmux.session('first');
    await tmux.session('second');
    process.kill(tmux.serverPid, 'SIGSTOP');
    const roll = await until(
      'the server is seen stopped',
      () => realLook([tmux]).roll(),
      (one) => one.sessions.length > 0 && one.problems.some((problem) => problem.code === 'server-stopped'),
    );
    expect(roll.sessions.map((session) => [session.name, session.lifecycle])).toEqual([
      ['$0', 'unknown'],
      ['$1', 'unknown'],
    ]);
  });

  describe('and only accepts connections', () => {
    let hung: Server;
    beforeEach(async () => {
      mkdirSync(dirname(other.socketPath), { recursive: true, mode: 0o700 });
      hung = createServer(() => undefined);
      await new Promise<void>((resolve) => hung.listen(other.socketPath, resolve));
    });
    afterEach(() => {
      hung.close();
    });

    test('S32: is a problem after its timeout, and does not hold up the others', async () => {
      await tmux.session('mine');
      const roll = await realLook([tmux, other]).roll();
      expect(roll.problems.map((problem) => problem.code)).toEqual(['server-timeout']);
      expect(roll.sessions.map((session) => session.name)).toEqual(['mine']);
    });
  });
});

describe('a server that is gone', () => {
  test('S35: without any server the roll is empty and nothing is wrong', async () => {
    const roll = await realLook([tmux]).roll();
    expect(roll).toMatchObject({ sessions: [], servers: [], problems: [] });
  });

  test('S35: what went with a server is said, also by a later command, and nothing waits for it', async () => {
    await tmux.session('a');
    await tmux.session('b');
    const look = realLook([tmux]);
    await look.roll();
    await tmux.killServer();
    const roll = await until(
      'the server is gone',
      () => look.roll(),
      (one) => one.problems.length > 0,
    );
    const goodbye = { code: 'server-ended', text: expect.stringContaining('2 sessions are gone') };
    expect(roll.problems).toEqual([expect.objectContaining(goodbye)]);
    expect((await look.anew().roll()).problems).toEqual([expect.objectContaining(goodbye)]);
    expect((await look.anew().roll({ servers: ['another'] })).problems).toEqual([]);
  });

  test('S35: after a reboot what was there before is said, and nothing of it is believed', async () => {
    await tmux.session('before');
    const look = realLook([tmux]);
    const first = await look.session('before');
    const parts = { ...(await look.roll()).host, bootId: '00000000-aaaa' };
    const rebooted = look.anew({
      host: {
        identity: () => parts,
        now: () => ({ at: Date.now(), awakeMs: 5000, suspendedMs: 0 }),
        memory: () => null,
      },
    });
    const roll = await rebooted.roll();
    expect(roll.problems).toEqual([expect.objectContaining({ code: 'host-restarted' })]);
    expect(roll.sessions[0]?.key).not.toBe(first.key);
  });

  test('S3: a new server on the same socket has the same ids and another identity', async () => {
    await tmux.session('same');
    const look = realLook([tmux]);
    const before = await look.session('same');
    await tmux.killServer();
    await tmux.session('same');
    const after = await look.session('same');
    expect(after.sessionId).toBe(before.sessionId);
    expect(after.key).not.toBe(before.key);
  });

  test('S2: a session made anew under the same name has another identity', async () => {
    await tmux.session('keeper');
    await tmux.session('same');
    const look = realLook([tmux]);
    const before = await look.session('same');
    await tmux.tmux('kill-session', '-t', '=same');
    await tmux.session('same');
    expect((await look.session('same')).key).not.toBe(before.key);
  });
});

describe('many deaths at once', () => {
  test('S32: nearly everything dead in one sweep is a fault of the system, believed only after a while', async () => {
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) {
      await tmux.session(name, 'sh', '-c', `while [ ! -e ${tmux.folder}/go ]; do sleep 0.02; done`);
      await tmux.tmux('set-option', '-w', '-t', `=${name}:`, 'remain-on-exit', 'on');
    }
    const look = realLook([tmux], { exitedAfterMs: 1500 });
    await look.roll();
    const pids = (await tmux.tmux('list-panes', '-a', '-F', '#{pane_pid}')).split('\n').map(Number);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await until(
      'tmux has seen them all dead',
      () => tmux.tmux('list-panes', '-a', '-F', '#{pane_dead}'),
      (dead) => dead.split('\n').every((one) => one === '1'),
    );
    const doubted = await look.roll();
    expect(doubted.sessions.map((session) => session.lifecycle)).toEqual(names.map(() => 'unknown'));
    expect(doubted.sessions[0]?.reasons[0]?.code).toBe('mass-death');
    const believed = await until(
      'the doubt has passed',
      () => look.roll(),
      (roll) => roll.sessions.every((session) => session.lifecycle !== 'unknown'),
    );
    expect(believed.sessions.map((session) => session.activity)).toEqual(names.map(() => 'exited'));
  });
});
