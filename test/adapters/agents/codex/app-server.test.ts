import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAskServer } from '../../../../src/adapters/agents/codex/app-server.ts';
import { ACTIVE, FakeAppServer, frameOf, idOf, thread } from './fake-app-server.ts';
import { temporaryFolder } from './fixtures.ts';

const folder = temporaryFolder();
const A = idOf(1);
const B = idOf(2);
let server: FakeAppServer;
let now = 0;

beforeEach(async () => {
  now = 1_000;
  server = new FakeAppServer(join(folder.path, 'home'));
  mkdirSync(server.home);
  await server.listen();
});
afterEach(() => server.close());

const asker = (timeoutMs = 5_000) => createAskServer({ procRoot: folder.path, now: () => now, timeoutMs });
const ask = (timeoutMs?: number) => asker(timeoutMs)(server.home, 42);

/** /proc as it looks to a client with so many connections to the daemon, this program's own one included. */
const connect = (count: number, namespaces = ['net:[1]', 'net:[1]']): void => {
  mkdirSync(join(folder.path, '42/net'), { recursive: true });
  mkdirSync(join(folder.path, '42/ns'), { recursive: true });
  mkdirSync(join(folder.path, 'self/ns'), { recursive: true });
  const path = join(server.home, 'sock');
  const rows = Array.from(
    { length: count },
    (_, at) => `0000: 00000003 00000000 00000000 0001 03 ${at} ${path}`,
  );
  writeFileSync(
    join(folder.path, '42/net/unix'),
    [
      'Num       RefCount Protocol Flags    Type St Inode Path',
      `0000: 00000002 00000000 00010000 0001 01 99 ${path}`,
      `0000: 00000003 00000000 00000000 0001 03 98 ${path}2`,
      ...rows,
      '',
    ].join('\n'),
  );
  symlinkSync(namespaces[0] as string, join(folder.path, '42/ns/net'));
  symlinkSync(namespaces[1] as string, join(folder.path, 'self/ns/net'));
};

describe('a daemon', () => {
  test('tells of every conversation that it has loaded', async () => {
    connect(3);
    server.threads = [
      thread(A, { name: 'Fix it', path: '/p' }),
      thread(B, {
        sessionId: A,
        parentThreadId: A,
        status: { type: 'active', activeFlags: ['waitingOnApproval'] },
      }),
    ];
    server.terminals = { [A]: 2 };
    expect(await ask()).toEqual({
      state: 'answered',
      version: '0.166.0',
      clients: 2,
      threads: [
        {
          id: A,
          session: A,
          parent: null,
          cwd: '/home/dev/repo/codex',
          name: 'Fix it',
          transcript: '/p',
          isEphemeral: false,
          status: 'idle',
          flags: [],
          terminals: 2,
        },
        expect.objectContaining({
          id: B,
          session: A,
          parent: A,
          status: 'active',
          flags: ['waitingOnApproval'],
        }),
      ],
    });
  });

  test('is asked for nothing that changes anything, under a name that leaves no trace in its requests', async () => {
    server.threads = [thread(A)];
    await ask();
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(
      new Set([
        'initialize',
        'initialized',
        'thread/loaded/list',
        'thread/read',
        'thread/backgroundTerminals/list',
      ]),
    );
    expect(server.requests[0]?.params).toMatchObject({ clientInfo: { name: 'codex_app_server_daemon' } });
    await expect.poll(() => server.closings).toEqual([8]);
  });

  test('is asked once for all panes of its home, and again half a second later', async () => {
    const askServer = asker();
    await Promise.all([askServer(server.home, 42), askServer(server.home, 43)]);
    now += 499;
    await askServer(server.home, 44);
    expect(server.connections).toBe(1);
    now += 1;
    await askServer(server.home, 42);
    expect(server.connections).toBe(2);
  });

  test('counts its clients where the system tells them, in their own network namespace', async () => {
    expect(await ask()).toMatchObject({ clients: null });
    connect(2, ['net:[1]', 'net:[2]']);
    expect(await ask()).toMatchObject({ clients: 2 });
  });
});

describe('S32: a daemon that', () => {
  test('is not there has not answered', async () => {
    const absent = { state: 'failed', isAbsent: true };
    expect(await asker()(join(folder.path, 'nowhere'), 42)).toMatchObject(absent);
    // A server that is killed leaves its socket behind.
    const socket = join(server.home, 'sock');
    renameSync(socket, `${socket}.left`);
    await server.close();
    renameSync(`${socket}.left`, socket);
    expect(await ask()).toMatchObject(absent);
  });

  test.each(['initialize', 'thread/loaded/list', 'thread/read', 'thread/backgroundTerminals/list'])(
    'is silent at %s is not waited for',
    async (silent) => {
      server.threads = [thread(A)];
      server.answer = (method) => (method === silent ? null : undefined);
      const answer = await ask(100);
      expect(answer).toMatchObject({ state: 'failed', text: expect.stringContaining('100 ms') });
      expect(answer).not.toHaveProperty('isAbsent');
    },
  );

  test('leaves one of its conversations out has not answered', async () => {
    server.threads = [thread(A, ACTIVE), thread(B)];
    server.answer = (method, { threadId } = {}) =>
      method === 'thread/read' && threadId === A ? {} : undefined;
    expect(await ask()).toMatchObject({ state: 'failed' });
  });

  test('has more conversations than it lists has not answered', async () => {
    server.answer = (method) =>
      method === 'thread/loaded/list' ? { data: [], nextCursor: 'more' } : undefined;
    expect(await ask()).toMatchObject({ state: 'failed' });
  });

  test('does not know of commands says so', async () => {
    server.threads = [thread(A)];
    server.answer = (method) => (method === 'thread/backgroundTerminals/list' ? 'what?' : undefined);
    expect(await ask()).toMatchObject({ threads: [{ terminals: null }] });
  });
});

describe('S57: an answer', () => {
  test.each([
    ['that is a list', () => []],
    ['of the wrong types', () => ({ data: 'x', thread: 7, userAgent: {} })],
    ['with hostile ids', () => ({ data: ['../../etc', 7, null], thread: { id: 'x' } })],
  ])('%s is none', async (_, answer) => {
    server.answer = answer;
    expect(await ask()).toMatchObject({ state: 'failed' });
  });

  test('among other messages, and a long one, is heard', async () => {
    server.threads = [thread(A, { preview: 'x'.repeat(100_000) })];
    server.noise = Buffer.concat([
      frameOf('{"method":"thread/started","params":{}}'),
      frameOf('{"id":"1","result":7}'),
      frameOf('not JSON'),
      Buffer.from([0x89, 2, 1, 2]),
    ]);
    expect(await ask()).toMatchObject({ state: 'answered', threads: [{ id: A }] });
  });

  test.each([
    ['a masked frame', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 1, 1])],
    ['a fragment', Buffer.from([0x01, 0x01, 0x7b])],
    ['a frame of 8 EB', Buffer.from([0x81, 127, 127, 255, 255, 255, 255, 255, 255, 255])],
    ['a farewell', Buffer.from([0x88, 0])],
  ])('with %s is none', async (_, noise) => {
    server.noise = noise;
    const answer = await ask();
    expect(answer).toMatchObject({ state: 'failed' });
    expect(JSON.stringify(answer)).not.toContain('5000 ms');
  });
});

describe('a socket that', () => {
  let other: Server | undefined;
  afterEach(() => void other?.close());

  test.each([
    ['speaks something else', 'HTTP/1.1 404 Not Found\r\n\r\n'],
    ['never ends its greeting', 'x'.repeat(40_000)],
  ])('%s is no daemon', async (_, greeting) => {
    const home = join(folder.path, 'other');
    mkdirSync(join(home, 'app-server-control'), { recursive: true });
    other = createServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end(greeting),
    );
    await new Promise<void>((resolve) =>
      other?.listen(join(home, 'app-server-control/app-server-control.sock'), resolve),
    );
    expect(await asker()(home, 42)).toMatchObject({ state: 'failed' });
  });

  test.runIf(process.getuid?.() === 0)('S55: belongs to another user is not asked', async () => {
    const { chownSync } = await import('node:fs');
    chownSync(join(server.home, 'sock'), 65_534, 65_534);
    expect(await ask()).toMatchObject({ state: 'failed', text: expect.stringContaining('another user') });
    expect(server.connections).toBe(0);
  });
});
