import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, DaemonUnreachable, RollcallProblem, usualPlace } from '../../src/client/index.ts';
import { startServer } from '../../src/server/start-server.ts';
import { ServerRoom } from '../server/server-room.ts';

const room = new ServerRoom();
let key = '';
beforeAll(async () => {
  await room.tmux.session('work');
  await room.open();
  key = await room.key('work');
});
afterAll(() => room.shut());

const bySocket = () => createClient({ socketPath: room.running.socketPath });
const byPort = () => createClient({ url: room.running.url ?? '', tokenFile: room.running.tokenFile });

/** What a promise was rejected with. */
const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error as RollcallProblem,
  );

describe('the client', () => {
  it.each([
    ['the socket', bySocket],
    ['the port', byPort],
  ])('looks through %s', async (_, client) => {
    const rollcall = client();
    expect((await rollcall.roll()).sessions.map(({ name }) => name)).toEqual(['work']);
    expect((await rollcall.roll({ lifecycle: ['lost', 'stale'], name: 'none' })).sessions).toEqual([]);
    expect((await rollcall.session(key)).key).toBe(key);
    expect((await rollcall.evidence(key)).session.evidence.length).toBeGreaterThan(0);
    expect((await rollcall.ledger({ limit: 5, since: '1h' })).damage).toBe(null);
    expect((await rollcall.reaper()).wanted).toBe('enforce');
    expect((await rollcall.pressure()).signals.length).toBeGreaterThan(0);
    expect((await rollcall.status()).daemon.pid).toBe(process.pid);
    expect(await rollcall.metrics()).toContain('rollcall_sessions');
  });

  it('acts, once for each key, and throws what is refused', async () => {
    const rollcall = bySocket();
    expect((await rollcall.hold(key, { reason: 'mine' }, { idempotencyKey: 'a' })).result).toBe('held');
    expect((await rollcall.hold(key, { reason: 'mine' }, { idempotencyKey: 'a' })).result).toBe('held');
    expect((await rollcall.hold(key, { reason: 'mine' })).result).toBe('already-held');
    expect((await rollcall.retain(key, { forMs: 60_000 })).result).toBe('retained');
    expect((await rollcall.complete(key, { outcome: 'failed' })).result).toBe('completed');
    const no = await problemOf(rollcall.close(key));
    expect(no).toBeInstanceOf(RollcallProblem);
    expect([no?.status, no?.code]).toEqual([409, 'refused']);
    expect(no?.problem.report?.protections.map(({ code }) => code)).toContain('held');
    expect((await problemOf(rollcall.hibernate(key)))?.code).toBe('refused');
    const { name } = await rollcall.session(key);
    expect((await rollcall.unhold(name)).result).toBe('unheld');
    expect((await rollcall.adopt(name, { task: 'T-1' })).result).toBe('adopted');
    expect(await rollcall.wake(key)).toMatchObject({ result: 'awake', key });
    expect((await problemOf(rollcall.wake('none.such')))?.code).toBe('not-found');
    expect((await problemOf(rollcall.session('../roll')))?.code).toBe('not-found');
    expect((await problemOf(rollcall.reopen('r0')))?.code).toBe('not-found');
  });

  it('says where there is no daemon, and where there is something else', async () => {
    const nowhere = createClient({ socketPath: join(room.folder, 'none.sock') });
    const gone = await nowhere.roll().catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(DaemonUnreachable);
    expect((gone as DaemonUnreachable).code).toBe('ENOENT');
    await expect(nowhere.events().next()).rejects.toBeInstanceOf(DaemonUnreachable);
    const wrong = createClient({ url: room.running.url ?? '', token: 'A'.repeat(43) });
    expect((await problemOf(wrong.roll()))?.code).toBe('no-token');
    await expect(wrong.events().next()).rejects.toBeInstanceOf(RollcallProblem);
    const other = createServer((_, response) => response.writeHead(200).end('<html>hello</html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await expect(createClient({ url, token: 'x' }).roll()).rejects.toBeInstanceOf(DaemonUnreachable);
    other.close();
    other.closeAllConnections();
  });

  it('S56: takes the token to no other machine', async () => {
    for (const url of ['http://evil.example:80', 'https://127.0.0.1:1', 'http://127.0.0.1.evil.example']) {
      await expect(createClient({ url, token: 'x' }).roll()).rejects.toThrow('a daemon is reached at');
    }
  });

  it('finds the socket of its user where the state folder is', () => {
    expect(usualPlace({ XDG_STATE_HOME: '/s', HOME: '/h' })).toEqual({
      socketPath: '/s/rollcall/rollcall.sock',
    });
    expect(usualPlace({ HOME: '/h' })).toEqual({ socketPath: '/h/.local/state/rollcall/rollcall.sock' });
  });

  it('hears of changes, and goes on with the next server where this one ended', async () => {
    const events = bySocket().events();
    expect((await events.next()).value?.kind).toBe('ready');
    // The other session may have grown stale meanwhile.
    const next = async () => {
      for (;;) {
        const { value } = await events.next();
        if (value?.kind !== 'session' || JSON.stringify(value).includes('"more"')) return value;
      }
    };
    await room.tmux.session('more');
    await room.desk.lookNow();
    expect(await next()).toMatchObject({
      kind: 'session',
      data: { session: { name: 'more' }, from: null },
    });
    await room.running.close();
    room.server = await startServer(room.options());
    // The new one cannot tell what was missed meanwhile.
    expect((await next())?.kind).toBe('reset');
    await room.tmux.tmux('kill-session', '-t', 'more');
    await room.desk.lookNow();
    expect(await next()).toMatchObject({ kind: 'session', data: { to: null } });
    await events.return();
  });

  it('ends with the signal that it was given', async () => {
    const ending = new AbortController();
    const events = bySocket().events({ signal: ending.signal });
    expect((await events.next()).value?.kind).toBe('ready');
    const next = events.next();
    ending.abort();
    expect((await next).done).toBe(true);
  });
});
