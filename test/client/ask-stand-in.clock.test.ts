import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askStandIn } from '../../src/client/ask-stand-in.ts';

let folder = '';
let path = '';
let server: Server | null = null;
const sockets = new Set<Socket>();
beforeEach(() => {
  folder = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? '/tmp', 'stand-'));
  path = join(folder, 's');
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  server = null;
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** Something that listens there, and answers so. */
async function answers(act: (socket: Socket) => void): Promise<void> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => act(socket));
  });
  await new Promise<void>((resolve) => server?.listen(path, resolve));
}

/** No time passes for whoever asks: this process may get no core for longer than a daemon has for its sign. */
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

const SIGN = 'HTTP/1.1 102 Processing\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\nRollcall-View: 1/a\r\nContent-Length: 2\r\n\r\n{}';
const VIEW = { 'Rollcall-View': '1/a' };
const REFUSED = '{"detail":"other settings"}';

describe('a daemon that is asked to look', () => {
  test('answers at once, or after a sign', async () => {
    stopClock();
    await answers((socket) => socket.write(OK));
    expect(await askStandIn(path, '/v1/roll', VIEW)).toEqual({ state: 'answered', body: Buffer.from('{}') });
    server?.close();
    path = join(folder, 'later');
    await answers((socket) => {
      socket.write(SIGN);
      later(() => socket.write(OK), 400);
    });
    expect(await askStandIn(path, '/v1/roll', VIEW)).toEqual({ state: 'answered', body: Buffer.from('{}') });
  });

  test.each([
    ['nothing listens', null, 'ENOENT'],
    ['it gives no sign', () => {}, 'no sign of it within 300 ms'],
    ['it goes away at once', (socket: Socket) => socket.destroy(), 'its answer broke off'],
    ['it goes away after a sign', (socket: Socket) => socket.end(SIGN), 'its answer broke off'],
    [
      'it goes away half-way',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"se'),
      'its answer broke off',
    ],
    [
      'it is somebody else',
      (socket: Socket) => socket.end(OK.replace('1/a', '1/b')),
      'what answers there does not say that it sees the same',
    ],
    [
      'it speaks no HTTP',
      (socket: Socket) => socket.end('hello\r\n\r\n'),
      'what answers there is no rollcall',
    ],
    [
      'it refuses',
      (socket: Socket) =>
        socket.end(`HTTP/1.1 412 No\r\nContent-Length: ${REFUSED.length}\r\n\r\n${REFUSED}`),
      'other settings',
    ],
    [
      'it refuses without a word',
      (socket: Socket) => socket.end('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n'),
      'status 500',
    ],
  ])('S68: is left aside where %s', async (_, act, why) => {
    if (act !== null) await answers(act);
    if (!why.startsWith('no sign')) stopClock();
    expect(await askStandIn(path, '/v1/roll', VIEW)).toEqual({ state: 'none', why });
  });
});
