import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import type { Limits } from '../../src/server/limits.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { ServerRoom, sayWhere } from '../server/server-room.ts';
import { until } from '../support/until.ts';
import { Raw } from './raw.ts';

const room = new ServerRoom();
let key = '';
beforeAll(async () => {
  await room.tmux.session('prize');
  // Refilled more slowly than any machine asks, so that a flood is one on a slow machine too.
  await room.open({ port: { perSecond: 2, burst: 200 }, strangers: { perSecond: 1, burst: 100 } });
  key = await room.key('prize');
});
afterAll(() => room.shut());

/** A server beside that of the room, for limits that would harm other tests on a slow machine. */
async function beside(limits: Partial<Limits> = {}): Promise<{ server: RunningServer; port: number }> {
  const folder = mkdtempSync(join(room.tmux.folder, 'own-'));
  const server = await startServer({ ...room.options(limits), folder });
  sayWhere(server);
  return { server, port: Number(new URL(server.url ?? '').port) };
}

interface Door {
  readonly port: number;
  readonly token: string;
}

function headTo({ port, token }: Door, method: string, path: string, ...more: string[]): string {
  const own = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`];
  return [...own, ...more].join('\r\n');
}

const head = (method: string, path: string, ...more: string[]) => headTo(room, method, path, ...more);

async function unharmed(): Promise<void> {
  await until('the port answers', async () => {
    const answered = await room.ask({ path: '/v1/roll', via: 'port' }).catch(() => null);
    return answered?.status === 200;
  });
  expect((await room.ask({ path: '/v1/roll' })).status).toBe(200);
  expect(room.desk.ledger.read().entries).toEqual([]);
}

describe('S56: a client that takes its time', () => {
  it('S56: is sent away when its headers or its body do not come to an end', async () => {
    const short = { headersMs: 300, requestMs: 5000, keepAliveMs: 300, checkEveryMs: 50 };
    const { server, port } = await beside(short);
    const to = { port, token: readFileSync(server.tokenFile, 'utf8').trim() };
    const post = ['Content-Type: application/json', 'Content-Length: 1000', '', '{"reason":"'];
    const slow = [
      { say: headTo(to, 'GET', '/v1/roll'), more: '\r\nX-More: x' },
      { say: headTo(to, 'POST', `/v1/sessions/${key}/hold`, ...post), more: 'x' },
      {
        say: headTo(
          to,
          'POST',
          `/v1/sessions/${key}/hold`,
          post[0] ?? '',
          'Transfer-Encoding: chunked',
          '',
          '',
        ),
        more: '1\r\n \r\n',
      },
      { say: '', more: '' },
    ];
    const sentAway = async ({ say, more }: { say: string; more: string }) => {
      const begunAt = performance.now();
      const raw = new Raw(port);
      raw.say(say);
      const drip = setInterval(() => more !== '' && raw.say(more), 50);
      const statuses = await raw.ended();
      clearInterval(drip);
      expect(statuses.filter((status) => status !== 408)).toEqual([]);
      return performance.now() - begunAt;
    };
    // Where this process stood still while headers were on their way, their time was over, and it is tried again.
    const [headers = 0, , , silence = 0] = await until(
      'whoever sent whole headers had the time of a request',
      () => Promise.all(slow.map(sentAway)),
      ([, body = 0, chunks = 0]) => Math.min(body, chunks) >= short.requestMs,
    );
    // Headers have less time than a whole request.
    expect(Math.max(headers, silence)).toBeLessThan(short.requestMs);
    await server.close();
    await unharmed();
  });
});

describe('S56: a body of a gigabyte', () => {
  const type = 'Content-Type: application/json';

  it('S56: is refused by its length before a byte of it is read', async () => {
    for (const expect100 of [[], ['Expect: 100-continue']]) {
      const raw = new Raw(room.port);
      raw.say(
        head('POST', `/v1/sessions/${key}/hold`, type, 'Content-Length: 1073741824', ...expect100, '', ''),
      );
      expect(await raw.ended()).toEqual([413]);
    }
    const get = new Raw(room.port);
    get.say(head('GET', '/v1/roll', 'Content-Length: 1073741824', '', ''));
    expect(await get.ended()).toEqual([400]);
    await unharmed();
  });

  it('S56: is refused when it comes in pieces, and most of it is never taken', async () => {
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')]);
    const raw = new Raw(room.running.socketPath);
    raw.say(
      `POST /v1/sessions/${key}/hold HTTP/1.1\r\nHost: x\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    let sent = 0;
    while (!raw.isOver && sent < 1_073_741_824) {
      if (raw.say(chunk)) sent += chunk.length;
      else await new Promise((resolve) => setTimeout(resolve, 5));
    }
    // Whoever still sends when the connection is closed may not get to read the answer.
    expect([[], [413]]).toContainEqual(raw.statuses);
    expect(sent).toBeLessThan(8 * 1024 * 1024);
    await unharmed();
  });
});

describe('S56: ten thousand connections', () => {
  it('S56: fill the port and nothing else; the socket answers all the while, and the port once they are gone', async () => {
    // Nobody's time is up before all of them came, however slow the machine is.
    const { server, port } = await beside({ headersMs: 600_000, requestMs: 600_000 });
    const rollcall = createClient({ socketPath: server.socketPath });
    const connections: Raw[] = [];
    const standing = () => connections.filter(({ isOver }) => !isOver).length;
    // In waves, so that the descriptors of both ends stay below the limit of a usual machine.
    for (let wave = 0; wave < 50; wave += 1) {
      const these = Array.from({ length: 200 }, () => new Raw(port));
      connections.push(...these);
      const isIn = () => these.every(({ socket, isOver }) => isOver || !socket.connecting);
      await until(
        'those beyond the limit are closed',
        () => (isIn() ? standing() : null),
        (count) => count !== null && count <= 256,
        2000,
      );
      if (wave % 10 === 5) expect((await rollcall.roll()).sessions).toHaveLength(1);
    }
    expect([connections.length, standing()]).toEqual([10_000, 256]);
    for (const connection of connections) connection.leave();
    const byPort = createClient({ url: server.url ?? '', tokenFile: server.tokenFile });
    await until('the port answers', () =>
      byPort.roll().then(
        () => true,
        () => false,
      ),
    );
    await server.close();
    await unharmed();
  });
});

describe('S56: a flood of requests', () => {
  it('S56: is slowed down, and strangers use up nothing of the owner’s', async () => {
    const flood = await Promise.all(
      Array.from({ length: 150 }, () => room.ask({ path: '/v1/roll', via: 'stranger' })),
    );
    const statuses = flood.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    const turned = flood.find(({ status }) => status === 429);
    expect([turned?.headers['retry-after'], turned?.json.code]).toEqual(['5', 'too-many']);
    await unharmed();
    const own: number[] = [];
    while (!own.includes(429) && own.length < 3000) {
      const wave = Array.from({ length: 50 }, () => room.ask({ path: '/v1/pressure', via: 'port' }));
      own.push(...(await Promise.all(wave)).map(({ status }) => status));
    }
    expect(new Set(own)).toEqual(new Set([200, 429]));
    await unharmed();
  });
});
