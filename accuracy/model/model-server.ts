import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { anthropic } from './anthropic.ts';
import type { Body, Dialect } from './dialect.ts';
import { google } from './google.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Step } from './reply.ts';
import { replyTo } from './reply.ts';
import type { RequestLog, RequestRecord } from './request-log.ts';

const DIALECTS: readonly Dialect[] = [anthropic, openaiResponses, openaiChat, google];

/** A model on loopback that does what the prompt says, in four dialects. */
export interface ModelServer {
  readonly url: string;
  stop(): void;
}

export async function startModelServer(log: RequestLog): Promise<ModelServer> {
  let lastId = 0;
  const server = createServer((request, response) => {
    lastId += 1;
    answer(request, response, lastId, log).catch(() => response.destroy());
  });
  // An agent may wait as long as its script says.
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, timeout: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(server) };
}

function stop(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  id: number,
  log: RequestLog,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://model').pathname;
  const body = await bodyOf(request);
  const dialect = DIALECTS.find((one) => request.method === 'POST' && one.matches(path));
  if (!dialect) return json(response, ...aside(path));
  const conversation = dialect.read(body, path);
  const tag = conversation.order?.tag ?? null;
  const attempts = tag === null ? 1 : log.of(tag).filter(({ role }) => role !== 'side').length + 1;
  const reply = replyTo(conversation, attempts);
  const role = reply.kind === 'fail' ? 'fail' : reply.role;
  const record: RequestRecord = {
    id,
    tag,
    role,
    receivedAt: Date.now(),
    endedAt: null,
    isAborted: false,
    called: null,
    nudges: conversation.nudges,
    remembered: conversation.remembered,
    model: conversation.model,
  };
  log.add(record);
  response.on('close', () => {
    record.endedAt ??= Date.now();
    record.isAborted = !response.writableFinished;
  });
  if (reply.kind === 'fail') {
    const failure = dialect.failure(reply.status);
    return json(response, failure.status, failure.body);
  }
  if (!conversation.isStreaming) {
    return json(response, 200, dialect.whole(body, id, textOf(reply.steps)));
  }
  await stream(response, dialect, body, id, reply.steps, record);
}

async function stream(
  response: ServerResponse,
  dialect: Dialect,
  body: Body,
  id: number,
  steps: readonly Step[],
  record: RequestRecord,
): Promise<void> {
  const speaker = dialect.speaker(body, id);
  let isOpen = false;
  const send = (events: ReturnType<typeof speaker.open>) => {
    for (const { name, data } of events) {
      response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
    }
  };
  for (const step of steps) {
    if (response.destroyed) return;
    if (step.kind === 'pause') {
      await pauseOrHangUp(response, step.ms);
      continue;
    }
    if (!isOpen) {
      isOpen = true;
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      send(speaker.open());
    }
    if (step.kind === 'call') record.called = step.call.name;
    send(speaker.take(step));
  }
  if (response.destroyed) return;
  send(speaker.close());
  record.endedAt = Date.now();
  response.end(dialect.ending ?? '');
}

function pauseOrHangUp(response: ServerResponse, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    response.on('close', done);
  });
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(decoded(Buffer.concat(chunks), request.headers['content-encoding']).toString('utf8'));
  } catch {
    return {};
  }
}

function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes);
  if (encoding === 'deflate') return inflateSync(bytes);
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
}

// What agents ask besides: token counts, the list of models.
function aside(path: string): [number, unknown] {
  if (path.endsWith('/count_tokens')) return [200, { input_tokens: 100 }];
  if (path.endsWith(':countTokens')) return [200, { totalTokens: 100 }];
  if (path.endsWith('/models')) {
    const data = [{ id: 'scripted', object: 'model', type: 'model', display_name: 'Scripted' }];
    return [200, { object: 'list', data, models: [], has_more: false }];
  }
  return [404, { error: { type: 'not_found_error', message: 'There is nothing here.' } }];
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function textOf(steps: readonly Step[]): string {
  return steps.map((step) => (step.kind === 'say' ? step.text : '')).join('') || 'It is done.';
}
