import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelServer } from '../../accuracy/model/model-server.ts';
import { startModelServer } from '../../accuracy/model/model-server.ts';
import type { RequestLog } from '../../accuracy/model/request-log.ts';
import { createRequestLog } from '../../accuracy/model/request-log.ts';
import { until } from '../support/until.ts';

const tool = { name: 'Bash' };
const ASKED = [
  [
    'anthropic',
    '/v1/messages',
    (text: string) => ({ stream: true, tools: [tool], messages: [{ role: 'user', content: text }] }),
  ],
  [
    'responses',
    '/v1/responses',
    (text: string) => ({ stream: true, tools: [tool], input: [{ role: 'user', content: text }] }),
  ],
  [
    'chat',
    '/v1/chat/completions',
    (text: string) => ({
      stream: true,
      tools: [{ function: tool }],
      messages: [{ role: 'user', content: text }],
    }),
  ],
  [
    'google',
    '/v1beta/models/m:streamGenerateContent?alt=sse',
    (text: string) => ({
      tools: [{ functionDeclarations: [tool] }],
      contents: [{ role: 'user', parts: [{ text }] }],
    }),
  ],
] as const;

describe('the scripted model', () => {
  let log: RequestLog;
  let server: ModelServer;
  beforeEach(async () => {
    log = createRequestLog();
    server = await startModelServer(log);
  });
  afterEach(() => server.stop());

  const post = (path: string, body: unknown, signal?: AbortSignal) =>
    fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });

  it.each(ASKED)('speaks and calls tools in the dialect of %s', async (_name, path, body) => {
    const text = await (await post(path, body('DO run ls (k1)'))).text();
    expect(text).toContain('I run it. ');
    expect(text).toContain('Bash');
    expect(log.of('k1')).toMatchObject([{ role: 'turn', called: 'Bash', isAborted: false }]);
    expect(log.of('k1')[0]?.endedAt).not.toBeNull();
  });

  it.each(ASKED)('fails on order in the dialect of %s', async (_name, path, body) => {
    const response = await post(path, body('DO refuse (k2)'));
    expect(response.status).toBe(400);
    expect(log.of('k2')).toMatchObject([{ role: 'fail' }]);
  });

  it('knows when an agent hung up in mid-answer', async () => {
    const hangUp = new AbortController();
    const [, path, body] = ASKED[0];
    const response = await post(path, body('DO stream 60 (k3)'), hangUp.signal);
    const reader = response.body?.getReader();
    await reader?.read();
    expect(log.of('k3')).toMatchObject([{ endedAt: null, isAborted: false }]);
    hangUp.abort();
    await until('the server noticed', () => log.of('k3')[0]?.isAborted);
    expect(log.of('k3')[0]?.endedAt).not.toBeNull();
  });
});
