import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Listens } from '../../../../src/adapters/agents/opencode/listener.ts';
import { createListens } from '../../../../src/adapters/agents/opencode/listener.ts';
import { createReadStatus } from '../../../../src/adapters/agents/opencode/status.ts';
import { NOW, opencodeProcess } from './scene.ts';

const BUSY = { ses_1: { type: 'busy' } };
const RETRY = { ses_1: { type: 'retry', attempt: 2, message: 'fake 529', next: 1 } };
const ASKED = [{ id: 'per_1', sessionID: 'ses_1', permission: 'bash', patterns: ['touch *'] }];

type Answers = Readonly<Record<string, unknown>>;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function serveJson(answers: Answers): Promise<number> {
  const all: Answers = {
    '/session/status': {},
    '/permission': [],
    '/question': [],
    '/global/health': { healthy: true, version: '1.18.33' },
    ...answers,
  };
  return serve((request, response) => response.end(JSON.stringify(all[request.url ?? ''])));
}

const ITS_OWN: Listens = () => true;
// A busy machine may take its time; what is told is tested here, the limit is tested below.
const PATIENCE_MS = 10_000;
const ask = (port: number, listeners = ITS_OWN, timeLimitMs = PATIENCE_MS) =>
  createReadStatus(listeners, timeLimitMs)(opencodeProcess({ pid: process.pid }), port, NOW);

describe('what its own server says', () => {
  it.each<[string, Answers, object]>([
    ['S10: a busy session is work', { '/session/status': BUSY }, { turn: 'running' }],
    [
      'S17: a retry holds up the turn',
      { '/session/status': RETRY },
      { turn: 'running', waitingFor: 'retry' },
    ],
    [
      'S15: a permission wins over its busy session',
      { '/session/status': BUSY, '/permission': ASKED },
      { turn: 'running', waitingFor: 'permission' },
    ],
    [
      'S15: a question wins over its busy session',
      { '/session/status': BUSY, '/question': [{ id: 'que_1' }] },
      { turn: 'running', waitingFor: 'question' },
    ],
    [
      'a session that says idle is at rest',
      { '/session/status': { ses_1: { type: 'idle' } } },
      { turn: 'over' },
    ],
    ['no session is busy', {}, { turn: 'over' }],
  ])('%s', async (_, answers, expected) => {
    const told = await ask(await serveJson(answers));
    expect(told).toMatchObject({ state: 'told', version: '1.18.33' });
    const { text, ...sign } = told.state === 'told' ? told.sign : { text: '' };
    expect(text).not.toBe('');
    expect(sign).toEqual({ source: 'agent', observedAt: NOW, isLive: true, ...expected });
  });

  it.each<[string, Answers]>([
    ['a status that is not known', { '/session/status': { ses_1: { type: 'dreaming' } } }],
    ['a status without a type', { '/session/status': { ses_1: null } }],
    ['a list in place of a status', { '/session/status': [] }],
    ['an error in place of the permissions', { '/permission': { name: 'Error' } }],
    ['nothing in place of the questions', { '/question': null }],
  ])('S32: %s proves nothing', async (_, answers) => {
    expect(await ask(await serveJson(answers))).toMatchObject({ state: 'failed' });
  });

  it.each<[string, string, (response: ServerResponse, empty: string) => void]>([
    ['a demand for a password', 'answered 401', (response, empty) => response.writeHead(401).end(empty)],
    ['half a JSON text', 'no JSON', (response) => response.end('{"ses_1":')],
    ['ten megabytes', 'too much', (response) => response.end(`"${'x'.repeat(10_000_000)}"`)],
    ['a closed connection', 'port', (response) => response.destroy()],
  ])('S57: %s is a failure: %s', async (_, text, answer) => {
    const port = await serve(({ url = '' }, response) =>
      answer(response, /status|health/.test(url) ? '{}' : '[]'),
    );
    expect(await ask(port)).toMatchObject({ state: 'failed', text: expect.stringContaining(text) });
  });

  it('S32: silence is a failure within 300 ms', async () => {
    const port = await serve(() => {});
    const reader = createReadStatus(ITS_OWN);
    expect(await reader(opencodeProcess(), port, NOW)).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('300 ms'),
    });
  });

  it('is asked at most twice a second', async () => {
    let count = 0;
    const port = await serve((request, response) => {
      count += 1;
      response.end(request.url === '/session/status' || request.url === '/global/health' ? '{}' : '[]');
    });
    const reader = createReadStatus(ITS_OWN, PATIENCE_MS);
    const agent = opencodeProcess();
    await Promise.all([reader(agent, port, NOW), reader(agent, port, NOW + 400)]);
    expect(count).toBe(4);
    await reader(agent, port, NOW + 600);
    expect(count).toBe(8);
    await reader(opencodeProcess({ startTicks: 2 }), port, NOW + 700);
    expect(count).toBe(12);
  });
});

describe.runIf(process.platform === 'linux')('who listens on a port', () => {
  it('S29: is believed only when it is the agent itself', async () => {
    const port = await serveJson({});
    const listeners = createListens(() => performance.now());
    expect(listeners(process.pid, port)).toBe(true);
    expect(listeners(process.pid, port)).toBe(true);
    expect(listeners(process.ppid, port)).toBe(false);
    expect(await ask(port, listeners)).toMatchObject({ state: 'told' });
    const stranger = opencodeProcess({ pid: process.ppid });
    expect(await createReadStatus(listeners)(stranger, port, NOW)).toMatchObject({
      state: 'failed',
      text: `it does not listen on port ${port}`,
    });
  });

  it('is nobody when nothing listens', async () => {
    const port = await serveJson({});
    servers.pop()?.close();
    expect(createListens(() => performance.now())(process.pid, port)).toBe(false);
  });

  it('S34: is not known where the system does not tell', async () => {
    expect(await ask(1, () => null)).toMatchObject({ state: 'failed' });
  });
});
