import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ROUTES, type RouteName } from '../contract/http/routes.ts';
import { DaemonStopping } from '../engine/daemon/desk.ts';
import { Failure } from '../operations/failure.ts';
import { hasBody, readJson } from './http/body.ts';
import { checkHeaders, checkPlace, checkQuery, checkToken, type Via } from './http/gate.ts';
import { HttpProblem, problemOf, tooMany } from './http/problem.ts';
import type { TokenBucket } from './http/rate.ts';
import { headersOf, problemReply, send } from './http/reply.ts';
import { checkParameters, routeOf, targetOf } from './http/target.ts';
import type { Limits } from './limits.ts';
import { ANSWERS } from './routes/answers.ts';
import { isStream } from './routes/call.ts';
import type { Context } from './routes/context.ts';
import type { Token } from './token.ts';

/** What every request goes through. */
export interface Serving {
  readonly context: Context;
  readonly token: Token;
  readonly limits: Limits;
  readonly buckets: { readonly [V in Via | 'strangers']: TokenBucket };
  /** Names that this server answers to on its port. */
  readonly hosts: ReadonlySet<string>;
  answered(route: RouteName | 'none', method: string, status: number): void;
  /** Something went wrong here, and not with the request. */
  failed(route: string, error: unknown): void;
  /** Ends with the work of all requests. */
  readonly underWay: Set<Promise<void>>;
  /** Ends what waits, of each request under way. */
  readonly ends: Set<AbortController>;
}

/** A listener that is not open yet. */
export function createListener(serving: () => Serving | null, via: Via, limits: Limits): Server {
  const server = createServer({
    connectionsCheckingInterval: limits.checkEveryMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headerBytes,
    insecureHTTPParser: false,
    requireHostHeader: true,
  });
  server.maxConnections = limits.connections;
  server.maxHeadersCount = 0;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    const ready = serving();
    if (ready === null) {
      request.socket.destroy();
      return;
    }
    const work = serve(ready, via, request, response).finally(() => ready.underWay.delete(work));
    ready.underWay.add(work);
  };
  server.on('request', listen);
  // The body is asked for only where it is wanted.
  server.on('checkContinue', listen);
  server.on('clientError', refuseGarbled);
  return server;
}

async function serve(
  serving: Serving,
  via: Via,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '' } = request;
  let route: RouteName | 'none' = 'none';
  const end = new AbortController();
  serving.ends.add(end);
  response.once('close', () => {
    serving.ends.delete(end);
    end.abort(new HttpProblem(408, 'gone', 'whoever asked is gone'));
    serving.answered(route, method, response.statusCode);
  });
  try {
    const found = admit(serving, via, request);
    route = found.name;
    const body = await bodyOf(serving, request, response, found.route.method);
    // Whoever would look itself waits for a sign, and for the answer only where there was one.
    if (request.headers['rollcall-view'] !== undefined) response.writeProcessing();
    const call = { ...found, body, headers: request.headers, signal: end.signal };
    const answer = await ANSWERS[found.name](call, serving.context);
    if (!isStream(answer)) send(response, answer);
    else if (method === 'HEAD')
      send(response, { status: 200, type: 'text/event-stream', body: Buffer.alloc(0) });
    else stream(request, response, answer.begin);
  } catch (error) {
    send(response, problemReply(toProblem(serving, route, error)));
  }
}

/** Everything that can be told from the headers; in this order, so that a stranger learns nothing on the way. */
function admit({ hosts, token, limits, buckets }: Serving, via: Via, request: IncomingMessage) {
  try {
    checkHeaders(request);
    checkPlace(request, via, hosts);
    const target = targetOf(request.url ?? '', limits.urlLength);
    checkQuery(target.query, token);
    const isOpen = target.path === ROUTES.health.path;
    if (via === 'port' && !isOpen) checkToken(request, token);
    if (!buckets[isOpen ? 'strangers' : via].take()) throw tooMany('requests');
    const found = routeOf(target, request.method ?? '');
    checkParameters(target.query, found.route.query);
    return { ...found, path: target.path, query: target.query };
  } catch (error) {
    const isStranger = error instanceof HttpProblem && [400, 401, 403, 421].includes(error.status);
    if (isStranger && via === 'port' && !buckets.strangers.take()) throw tooMany('refused requests', 5);
    throw error;
  }
}

async function bodyOf(
  { limits }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  method: string,
): Promise<unknown> {
  if (method === 'POST') return readJson(request, response, limits.bodyBytes);
  if (!hasBody(request)) return null;
  throw new HttpProblem(400, 'body', 'this request takes no body', { isLast: true });
}

function stream(
  request: IncomingMessage,
  response: ServerResponse,
  begin: (outlet: Parameters<Context['hub']['join']>[0]) => void,
): void {
  response.writeHead(200, headersOf('text/event-stream', { Connection: 'close', 'X-Accel-Buffering': 'no' }));
  request.socket.setNoDelay(true);
  begin({
    write: (bytes) => response.write(bytes),
    end: () => response.destroy(),
    onDrain: (call) => response.on('drain', call),
    onClose: (call) => response.once('close', call),
  });
}

function toProblem(serving: Serving, route: string, error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof Failure) return problemOf(error);
  if (error instanceof DaemonStopping) {
    return new HttpProblem(503, 'stopping', error.message, { hint: 'ask again when it is up' });
  }
  serving.failed(route, error);
  return new HttpProblem(500, 'failed', 'something went wrong here', {
    hint: 'the log of the daemon tells what',
  });
}

const GARBLED: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** What is no HTTP, or comes too slowly, gets one answer and no second chance. */
function refuseGarbled(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = GARBLED[error.code ?? ''] ?? 400;
  const code = status === 400 ? 'garbled' : 'limit';
  const { body, type } = problemReply(new HttpProblem(status, code, 'this request is not answered'));
  const headers = headersOf(type, { 'Content-Length': String(body.length), Connection: 'close' });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}
