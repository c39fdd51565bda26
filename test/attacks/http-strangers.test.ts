import { execFile } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/start-server.ts';
import { ServerRoom } from '../server/server-room.ts';

const room = new ServerRoom();
// Not below the folder of the tests, which nobody else can enter anyway.
const outer = mkdtempSync(join(tmpdir(), 'rc-'));
const folder = join(outer, 'state');
beforeAll(async () => {
  chmodSync(outer, 0o755);
  mkdirSync(folder, { mode: 0o700 });
  await room.tmux.session('prize');
  await room.open();
});
afterAll(async () => {
  await room.shut();
  rmSync(outer, { recursive: true, force: true });
});

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** What another user of this machine is told. */
async function asNobody(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, ...args], {
    ...{ uid: NOBODY, gid: NOBODY, cwd: '/', env: {}, timeout: 120_000 },
  });
  return stdout.trim();
}

const CONNECT = `
  const socket = require('node:net').createConnection(process.argv[1]);
  socket.once('connect', () => { console.log('connected'); process.exit(); });
  socket.once('error', (error) => console.log(error.code));
`;
const READ = `
  try { require('node:fs').readFileSync(process.argv[1]); console.log('read'); } catch (error) { console.log(error.code); }
`;
const GET = `
  fetch(process.argv[1]).then((response) => console.log(response.status), (error) => console.log(error.cause.code));
`;

describe('S55: another user of the machine', () => {
  it.skipIf(!isRoot)(
    'S55: reaches neither the socket nor the token, in a closed folder or an open one',
    async () => {
      // Whatever the owner's habits are.
      const umask = process.umask(0);
      const server = await startServer({ ...room.options(), folder }).finally(() => process.umask(umask));
      try {
        for (const mode of [0o700, 0o755]) {
          chmodSync(folder, mode);
          expect([mode, await asNobody(CONNECT, server.socketPath)]).toEqual([mode, 'EACCES']);
          expect([mode, await asNobody(READ, server.tokenFile)]).toEqual([mode, 'EACCES']);
        }
        expect(await asNobody(GET, `${server.url}/v1/roll`)).toBe('401');
        expect(await asNobody(GET, `${server.url}/healthz`)).toBe('200');
      } finally {
        await server.close();
        chmodSync(folder, 0o700);
      }
    },
  );

  it('S55: who put links where the server writes gains nothing, and it does not open', async () => {
    const target = join(outer, 'target');
    mkdirSync(target, { mode: 0o700 });
    const link = join(outer, 'link');
    symlinkSync(target, link);
    await expect(startServer({ ...room.options(), folder: link })).rejects.toThrow('symbolic link');
    const own = join(outer, 'own');
    for (const name of ['rollcall.sock', 'token']) {
      mkdirSync(own, { mode: 0o700 });
      symlinkSync(join(target, 'victim'), join(own, name));
      await expect(startServer({ ...room.options(), folder: own })).rejects.toThrow();
      expect(lstatSync(join(target, 'victim'), { throwIfNoEntry: false })).toBe(undefined);
      // It left nothing open behind: the next one has the place to itself.
      rmSync(join(own, name));
      const server = await startServer({ ...room.options(), folder: own });
      await server.close();
      rmSync(own, { recursive: true });
    }
    chmodSync(target, 0o777);
    await expect(startServer({ ...room.options(), folder: target })).rejects.toThrow('other users');
    expect((await room.ask({ path: '/v1/roll', via: 'port' })).status).toBe(200);
  });

  it('S56: listens on the loopback interface only, and elsewhere where its port is taken', async () => {
    const { port } = room;
    const second = await startServer({ ...room.options(), folder, port });
    try {
      expect(second.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(second.url).not.toBe(room.running.url);
      expect(room.logged.some((line) => line.startsWith('http-port-taken'))).toBe(true);
    } finally {
      await second.close();
    }
    const none = await startServer({ ...room.options(), folder, port: null });
    expect(none.url).toBe(null);
    await none.close();
  });
});
