import { type ClientRequest, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, RollcallProblem } from '../../src/client/index.ts';
import type { Roll } from '../../src/core/sight/roll.ts';
import { sharedLook } from '../../src/server/routes/shared-look.ts';
import { until } from '../support/until.ts';
import { ServerRoom } from './server-room.ts';

const FOR_EVER = '/v1/wait?sessions=stays&until=exited&timeoutMs=600000';

let room: ServerRoom;

/** Sends it, and does not read the answer. */
const begin = (path: string): ClientRequest => {
  const asking = request({ socketPath: room.running.socketPath, path, agent: false });
  asking.on('error', () => {});
  asking.end();
  return asking;
};
const statusOfAnother = async () => (await room.ask({ path: '/v1/wait?sessions=stays&until=none' })).status;
/** Looks apart from the rounds are those of whoever waits. */
const whileItWaits = async (work: () => void) => {
  const looks = vi.spyOn(room.desk, 'look');
  work();
  await until('it waits', () => looks.mock.calls.length > 1);
};

describe('a wait over HTTP', () => {
  beforeEach(async () => {
    room = new ServerRoom();
    await room.tmux.session('stays');
  });
  afterEach(() => room.shut());

  it('is answered when the session gets there, and takes none of the few looks', async () => {
    await room.tmux.session('build', 'sleep', '1000');
    await room.open({ looks: 0 });
    expect((await room.ask({ path: '/v1/roll?fresh=true' })).status).toBe(429);
    const client = createClient({ socketPath: room.running.socketPath });
    const waiting = client.wait({ sessions: ['build'], until: ['exited'], timeoutMs: 60_000 });
    const late = await client
      .wait({ sessions: ['build'], until: ['exited'], timeoutMs: 1 })
      .then(wrong, asProblem);
    expect([late.code, late.status]).toEqual(['timed-out', 504]);
    expect(late.problem.details).toEqual([expect.stringMatching(/^build: /)]);
    await room.tmux.tmux('kill-session', '-t', '=build');
    const { sessions } = await waiting;
    expect(sessions).toMatchObject([{ name: 'build', reached: 'exited', isGone: true }]);
  });

  it('ends when whoever asked goes away, and gives its place to the next', async () => {
    await room.open({ waits: 1 });
    let asking: ClientRequest | undefined;
    await whileItWaits(() => {
      asking = begin(FOR_EVER);
    });
    expect(await statusOfAnother()).toBe(429);
    asking?.destroy();
    await until('the place is free', statusOfAnother, (status) => status === 200);
  });

  it('ends when the daemon stops, and says so', async () => {
    await room.open();
    const client = createClient({ socketPath: room.running.socketPath });
    let waiting: Promise<unknown> | undefined;
    await whileItWaits(() => {
      waiting = client.wait({ sessions: ['stays'], until: ['exited'], timeoutMs: 600_000 }).catch(asProblem);
    });
    await room.running.close();
    expect(await waiting).toMatchObject({ code: 'stopping', status: 503 });
  });
});

describe('the look of those who wait', () => {
  it('is one at a time, and none that began before it was asked for', async () => {
    const begun: ((roll: Roll) => void)[] = [];
    const look = sharedLook(() => new Promise((resolve) => begun.push(resolve)));
    const first = look();
    await until('it looks', () => begun.length === 1);
    const [second, third] = [look(), look()];
    expect(begun.length).toBe(1);
    begun[0]?.({ at: 1 } as Roll);
    expect((await first).at).toBe(1);
    await until('it looks again', () => begun.length === 2);
    begun[1]?.({ at: 2 } as Roll);
    expect([(await second).at, (await third).at, begun.length]).toEqual([2, 2, 2]);
  });

  it('comes about although the one before failed', async () => {
    let looks = 0;
    const look = sharedLook(async () => {
      looks += 1;
      if (looks === 1) throw new Error('tmux is busy');
      return { at: looks } as Roll;
    });
    const failed = look();
    await expect(failed).rejects.toThrow('tmux is busy');
    expect((await look()).at).toBe(2);
  });
});

function wrong(): never {
  throw new Error('it was answered');
}

function asProblem(error: unknown): RollcallProblem {
  if (error instanceof RollcallProblem) return error;
  throw error;
}
