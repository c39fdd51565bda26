import type { ServerResponse } from 'node:http';
import { type HttpProblem, toProblemDocument } from './problem.ts';

/** An answer that is whole when it is sent. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Nothing more is read from this connection. */
  readonly isLast?: boolean;
}

/**
 * On every answer. Nothing here is meant to be a page: no script, no frame, no cache, no other site. There is no header
 * for other origins at all, so a browser shows them nothing.
 */
const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** For an answer to be read. */
const UNREAD_MS = 30_000;

export function json(document: object, headers: Reply['headers'] = {}): Reply {
  return { status: 200, type: 'application/json', body: bodyOf(document), headers };
}

export function problemReply(problem: HttpProblem): Reply {
  const { headers, isLast } = problem.parts;
  return {
    status: problem.status,
    type: 'application/problem+json',
    body: bodyOf(toProblemDocument(problem)),
    ...(headers && { headers }),
    ...(isLast && { isLast }),
  };
}

function bodyOf(document: object): Buffer {
  return Buffer.from(`${JSON.stringify(document)}\n`);
}

export function headersOf(type: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...SECURITY_HEADERS, 'Content-Type': type, ...more };
}

/** Sends an answer; to HEAD without its body. */
export function send(response: ServerResponse, { status, type, body, headers, isLast }: Reply): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    ...headersOf(type, headers),
    'Content-Length': String(body.length),
    ...(isLast && { Connection: 'close' }),
  });
  const { socket } = response;
  // Who does not read the answer does not keep it in memory for ever.
  response.setTimeout(UNREAD_MS, () => socket?.destroy());
  response.end(response.req.method === 'HEAD' ? undefined : body, () => {
    // What the client still sends is not read: a body of any size costs nothing.
    if (isLast) socket?.destroySoon();
  });
}
