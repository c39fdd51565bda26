import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/start-server.ts';
import { ServerRoom } from '../server/server-room.ts';
import { until } from '../support/until.ts';
import { Raw } from './raw.ts';

const room = new ServerRoom();
let key = '';
beforeAll(async () => {
  await room.tmux.session('prize');
  await room.open();
  key = await room.key('prize');
});
afterAll(() => room.shut());

const entries = () => room.desk.ledger.read().entries.length;

async function unharmed(): Promise<void> {
  expect((await room.ask({ path: '/v1/roll' })).status).toBe(200);
  expect(entries()).toBe(0);
}

describe('S55: addresses', () => {
  it('S55: lead nowhere but where they are written', async () => {
    const paths = [
      ...[
        '/v1/sessions/../roll',
        '/v1/sessions/..%2froll',
        '/v1/sessions/%2e%2e/roll',
        '/v1//roll',
        '//v1/roll',
      ],
      ...[
        '/v1/roll/',
        '/v1/roll/../../etc/passwd',
        '/v1/sessions/..',
        '/v1/sessions/%00',
        '/v1/sessions/a%00b',
      ],
      ...['/v1/sessions/%zz', '/v1/sessions/%', '/v1/sessions/%E2%80%AE', '/v1/sessions/a%2Fb', '/V1/roll'],
      ...[
        '/v1/sessions/$(id)',
        '/v1/sessions/`id`',
        '/v1/sessions/%24%7Bid%7D',
        "/v1/sessions/';--",
        '/v1/roll;x',
      ],
      ...[
        '/v1/sessions/__proto__',
        '/v1/sessions/constructor',
        '/constructor',
        '/__proto__',
        '/v1/sessions/',
      ],
      ...[`/v1/sessions/${key}%20`, `/v1/sessions/${key}%0d%0aX-Evil:1`, `/v1/sessions/${'k'.repeat(300)}`],
      ...['/.token', '/token', '/v1/../token', '/docs/schema/openapi.json', `/v1/sessions/${key}/explode`],
    ];
    for (const path of paths) {
      const { status, text, headers, json } = await room.ask({ path });
      // Any word may be a session's name; one that cannot be read is not even looked for.
      const isWord = /^\/v1\/sessions\/[^/]+$/.test(path) && !/%(?![0-9a-f]{2})/i.test(path);
      const code = isWord ? 'not-found' : 'no-route';
      expect([path, status, json.code]).toEqual([path, 404, code]);
      expect(headers).not.toHaveProperty('x-evil');
      expect(text).not.toContain('root:');
    }
    expect((await room.ask({ path: `/v1/roll?name=${'n'.repeat(3000)}` })).status).toBe(414);
    expect((await room.ask({ path: '/v1/roll?__proto__=1' })).status).toBe(400);
    expect(
      (await room.ask({ method: 'POST', path: '/v1/receipts/..%2f..%2fx/reopen', body: {} })).status,
    ).toBe(404);
    // A key that is written in another way is the same key.
    expect((await room.ask({ path: `/v1/sessions/${key.replaceAll('.', '%2E')}` })).status).toBe(200);
    await unharmed();
  });
});

describe('S56: what is no proper HTTP', () => {
  const hidden = () => `POST /v1/sessions/${key}/hold HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;
  const get = (...lines: string[]) =>
    `${['GET /v1/roll HTTP/1.1', 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;
  const post = (...lines: string[]) =>
    [`POST /v1/sessions/none.such/hold HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...lines].join(
      '\r\n',
    );

  it('S56: gets one refusal at most, and the connection is over', async () => {
    const garbled: [string, string | Buffer][] = [
      ['noise', Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256))],
      ['TLS', Buffer.from('160301020001000001fc0303', 'hex')],
      ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['another version', 'GET /v1/roll HTTP/9.9\r\nHost: x\r\n\r\n'],
      ['no version', 'GET /v1/roll\r\n\r\n'],
      ['lower-case method', 'get /v1/roll HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['no host', 'GET /v1/roll HTTP/1.1\r\n\r\n'],
      ['two hosts', get('Host: y')],
      ['two origins', get('Origin: http://a', 'Origin: http://b')],
      ['two authorizations', get('Authorization: Bearer a', 'Authorization: Bearer b')],
      ['a blank before the colon', get('Origin : http://evil.example')],
      ['a folded header', get('X-A: b', ' Origin: http://evil.example')],
      ['a zero byte in a header', get('X-A: b\0c')],
      ['a bare line feed', get('X-A: b\nOrigin: http://evil.example')],
      ['too long headers', get(`X-A: ${'x'.repeat(20_000)}`)],
      ['too many headers', get(...Array.from({ length: 3000 }, (_, index) => `X-${index}: y`))],
      ['a tunnel', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a whole address', 'GET http://127.0.0.1/v1/roll HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
      ['a star', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
      [
        'length and chunks',
        `${post('Content-Length: 4', 'Transfer-Encoding: chunked')}\r\n\r\n0\r\n\r\n${hidden()}`,
      ],
      [
        'chunks and length',
        `${post('Transfer-Encoding: chunked', 'Content-Length: 4')}\r\n\r\n0\r\n\r\n${hidden()}`,
      ],
      [
        'two lengths',
        `${post('Content-Length: 0', `Content-Length: ${hidden().length}`)}\r\n\r\n${hidden()}`,
      ],
      ['a list of lengths', `${post('Content-Length: 0, 5')}\r\n\r\n${hidden()}`],
      ['a negative length', `${post('Content-Length: -1')}\r\n\r\n${hidden()}`],
      ['a signed length', `${post('Content-Length: +0')}\r\n\r\n${hidden()}`],
      ['a length in hexadecimal', `${post('Content-Length: 0x0')}\r\n\r\n${hidden()}`],
      ['unknown chunks', `${post('Transfer-Encoding: xchunked')}\r\n\r\n0\r\n\r\n${hidden()}`],
      ['chunks of chunks', `${post('Transfer-Encoding: chunked, identity')}\r\n\r\n0\r\n\r\n${hidden()}`],
      ['a chunk that is no number', `${post('Transfer-Encoding: chunked')}\r\n\r\nzz\r\n${hidden()}`],
      [
        'a chunk that is longer than it says',
        `${post('Transfer-Encoding: chunked')}\r\n\r\n1\r\n{}\r\n0\r\n\r\n${hidden()}`,
      ],
      ['two expectations', `${post('Expect: 100-continue', 'Expect: x', 'Content-Length: 2')}\r\n\r\n{}`],
    ];
    // Whoever waits for more is sent away soon, by a server beside that of the room: a slow machine could not ask this one.
    const short = { headersMs: 400, requestMs: 600, checkEveryMs: 50 };
    const folder = mkdtempSync(join(room.tmux.folder, 'own-'));
    const server = await startServer({ ...room.options(short), folder });
    for (const [what, text] of garbled) {
      const raw = new Raw(server.socketPath);
      raw.say(text);
      await until(
        `${what}: it is over`,
        () => raw.isOver,
        (isOver) => isOver,
        3000,
      );
      expect([what, raw.statuses.filter((status) => status < 400)]).toEqual([what, []]);
      expect([what, raw.statuses.length <= 1]).toEqual([what, true]);
    }
    await server.close();
    await unharmed();
  });

  it('S56: takes requests one after the other on one connection, each for itself', async () => {
    const raw = new Raw(room.running.socketPath);
    raw.say(get() + get('Origin: null') + get());
    await raw.ended();
    // The refusal is the last word; what came behind it is not answered.
    expect(raw.statuses).toEqual([200, 403]);
    const many = new Raw(room.running.socketPath);
    many.say(get().repeat(50));
    await until('all are answered', () => many.statuses.length === 50);
    expect(new Set(many.statuses)).toEqual(new Set([200]));
    many.leave();
    const upgrade = new Raw(room.running.socketPath);
    upgrade.say(get('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'));
    await until('it is answered as any other', () => upgrade.statuses.length === 1);
    expect(upgrade.statuses).toEqual([200]);
    upgrade.leave();
    await unharmed();
  });

  it('S56: forgets who goes away in the middle', async () => {
    for (const text of ['', 'GET', get().slice(0, -2), `${post('Content-Length: 100')}\r\n\r\n{`]) {
      const raw = new Raw(room.port);
      raw.say(text);
      await until('it is connected', () => !raw.socket.connecting);
      raw.socket.resetAndDestroy();
    }
    await unharmed();
    expect(room.logged.filter((line) => line.startsWith('http-failed'))).toEqual([]);
  });
});
