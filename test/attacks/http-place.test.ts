import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServerRoom } from '../server/server-room.ts';
import { Raw } from './raw.ts';

const room = new ServerRoom();
let key = '';
beforeAll(async () => {
  await room.tmux.session('prize');
  await room.open({ strangers: { perSecond: 1000, burst: 10_000 } });
  key = await room.key('prize');
});
afterAll(() => room.shut());

const entries = () => room.desk.ledger.read().entries.length;
const targets = () => [
  { path: '/v1/roll' },
  { path: '/v1/events' },
  { path: '/healthz' },
  { method: 'POST', path: `/v1/sessions/${key}/hold`, body: {} },
  { method: 'POST', path: `/v1/sessions/${key}/close`, body: { force: true } },
];

/** After each attack the server answers its owner as before, and nothing was done. */
async function unharmed(): Promise<void> {
  expect((await room.ask({ path: '/v1/roll', via: 'port' })).status).toBe(200);
  expect((await room.ask({ path: '/v1/roll' })).json.sessions).toHaveLength(1);
  expect(entries()).toBe(0);
}

describe('S56: a page of another site', () => {
  it('S56: reaches nothing by a name that it made point here (DNS rebinding)', async () => {
    const { port } = room;
    const hosts = [
      ...['evil.example', `evil.example:${port}`, '127.0.0.1', 'localhost', `127.0.0.1:${port + 1}`, '*'],
      ...[
        `localhost.evil.example:${port}`,
        `127.0.0.1:${port}.evil.example`,
        `127.0.0.1:${port}@evil.example`,
      ],
      ...[`0.0.0.0:${port}`, `[::]:${port}`, `127.1:${port}`, `2130706433:${port}`, `localhost.:${port}`],
      ...[`127.0.0.1:${port}, evil.example`, `evil.example, 127.0.0.1:${port}`, `127.0.0.1:0${port}`],
    ];
    for (const host of hosts) {
      for (const target of targets()) {
        const { status } = await room.ask({ ...target, via: 'port', headers: { Host: host } });
        expect([host, target.path, status]).toEqual([host, target.path, 421]);
      }
    }
    for (const first of ['GET /v1/roll HTTP/1.0', 'GET /v1/roll HTTP/1.1\r\nHost:\r\nConnection: close']) {
      const bare = new Raw(port);
      bare.say(`${first}\r\nAuthorization: Bearer ${room.token}\r\n\r\n`);
      expect([first, await bare.ended()]).toEqual([first, [421]]);
    }
    await unharmed();
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect((await room.ask({ path: '/healthz', via: 'stranger', headers: { Host: host } })).status).toBe(
        200,
      );
    }
  });

  it('S56: reaches nothing from another origin, another localhost port or none, not even with the token', async () => {
    const { port } = room;
    const origins = [
      ...['http://evil.example', 'null', '*', 'file://', `http://localhost:${port + 1}`, 'http://127.0.0.1'],
      ...[
        `http://127.0.0.1:${port + 1}`,
        `https://127.0.0.1:${port}`,
        `http://127.0.0.1:${port}.evil.example`,
      ],
      // The same machine by another name is another origin to a browser.
      ...[`http://localhost:${port}`, `http://[::1]:${port}`, `http://127.0.0.1:${port}/`],
    ];
    for (const origin of origins) {
      for (const target of targets()) {
        const { status, headers } = await room.ask({ ...target, via: 'port', headers: { Origin: origin } });
        expect([origin, target.path, status]).toEqual([origin, target.path, 403]);
        expect(headers['access-control-allow-origin']).toBe(undefined);
      }
    }
    for (const site of ['cross-site', 'same-site', 'sideways']) {
      const asked = { path: '/v1/roll', via: 'port' as const, headers: { 'Sec-Fetch-Site': site } };
      expect((await room.ask(asked)).status).toBe(403);
    }
    await unharmed();
    const own = { Origin: `http://127.0.0.1:${port}`, 'Sec-Fetch-Site': 'same-origin' };
    expect((await room.ask({ path: '/v1/roll', via: 'port', headers: own })).status).toBe(200);
  });

  it('S56: gets no leave by a preflight, and nothing through the socket either', async () => {
    const origin = 'http://evil.example';
    const preflight = await room.ask({
      ...{ method: 'OPTIONS', path: `/v1/sessions/${key}/hold`, via: 'stranger' },
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(403);
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    for (const target of targets()) {
      expect((await room.ask({ ...target, headers: { Origin: origin } })).status).toBe(403);
      expect((await room.ask({ ...target, headers: { Origin: 'null' } })).status).toBe(403);
    }
    await unharmed();
  });
});

describe('S56: the token', () => {
  const told: string[] = [];
  const tried = async (asked: Parameters<ServerRoom['ask']>[0]) => {
    const { status, text, headers } = await room.ask({ via: 'stranger', ...asked });
    told.push(text, JSON.stringify(headers));
    return status;
  };

  it('S56: is needed on the port for everything but the sign of life', async () => {
    const { token } = room;
    const wrong = [
      ...['', 'Bearer', 'Bearer ', `Basic ${token}`, token, `Bearer ${token}x`, `Bearer ${token.slice(1)}`],
      ...[`Bearer ${'A'.repeat(43)}`, `Bearer ${token},`, `Bearer ${token} x`, `Bearer x ${token}`],
    ];
    for (const authorization of [undefined, ...wrong]) {
      for (const target of targets().filter(({ path }) => path !== '/healthz')) {
        const headers = authorization === undefined ? {} : { Authorization: authorization };
        expect([authorization, await tried({ ...target, headers })]).toEqual([authorization, 401]);
      }
      expect(await tried({ path: '/nowhere' })).toBe(401);
    }
    expect(await tried({ path: '/v1/roll', headers: { Cookie: `token=${token}` } })).toBe(401);
    expect(await tried({ path: '/metrics' })).toBe(401);
    expect(await tried({ path: '/openapi.json' })).toBe(401);
    expect(await tried({ path: '/healthz' })).toBe(200);
    await unharmed();
  });

  it('S56: is not taken from the address, whatever it is called there', async () => {
    const { token } = room;
    const names = [
      'token',
      'access_token',
      'TOKEN',
      'api_key',
      'apikey',
      'auth',
      'authorization',
      'key',
      'bearer',
    ];
    for (const name of names) {
      const path = `/v1/roll?${name}=${token}`;
      expect([name, await tried({ path })]).toEqual([name, 400]);
      expect([name, await tried({ path, headers: { Authorization: `Bearer ${token}` } })]).toEqual([
        name,
        400,
      ]);
    }
    const owner = { Authorization: `Bearer ${token}` };
    for (const name of names) {
      const { json } = await room.ask({ path: `/v1/roll?${name}=guess`, via: 'stranger' });
      expect([name, json.code]).toEqual([name, 'token-in-url']);
    }
    expect(await tried({ path: `/v1/roll?name=${token}`, headers: owner })).toBe(400);
    expect(await tried({ path: `/v1/roll?name=x${encodeURIComponent(token)}x`, headers: owner })).toBe(400);
    expect(await tried({ path: `/v1/roll?${token}`, headers: owner })).toBe(400);
    expect(await tried({ path: `/v1/sessions/${token}`, headers: owner })).toBe(404);
    await unharmed();
  });

  it('S56: is in no log and in no answer', async () => {
    const { token } = room;
    expect(readFileSync(room.running.tokenFile, 'utf8')).toContain(token);
    expect(told.length).toBeGreaterThan(100);
    // The owner who asked for a session of that name got it back in words; strangers never.
    expect(told.filter((text) => text.includes(token)).length).toBeLessThanOrEqual(1);
    expect(room.logged.filter((line) => line.includes(token))).toEqual([]);
  });
});
