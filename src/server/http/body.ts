import type { IncomingMessage, ServerResponse } from 'node:http';
import { badRequest, HttpProblem } from './problem.ts';

/** Whether a request says that something follows its headers. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads the JSON of a request; without a body it is an empty object. Nothing beyond the limit is read. */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<unknown> {
  if (!hasBody(request)) return {};
  const { headers } = request;
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(headers['content-type'] ?? '')) {
    throw new HttpProblem(415, 'not-json', 'the body has to be application/json', { isLast: true });
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new HttpProblem(415, 'encoded', 'the body must not be encoded', { isLast: true });
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (headers.expect !== undefined) response.writeContinue();
  return parsed(await bytesOf(request, maxBytes));
}

async function bytesOf(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (problem: HttpProblem) => {
      request.pause();
      request.off('data', take);
      reject(problem);
    };
    const cutOff = () => stop(badRequest('cut-off', 'the body ended too early'));
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) return stop(tooLarge(maxBytes));
      chunks.push(chunk);
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', cutOff);
    request.once('close', cutOff);
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badRequest('not-json', 'the body is no JSON');
  }
}

function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem(413, 'too-large', `a body has at most ${maxBytes} bytes`, { isLast: true });
}
