import { type IncomingMessage, request } from 'node:http';
import type { ProblemDocument } from '../contract/http/response-schemas.ts';
import { DaemonUnreachable, RollcallProblem } from './errors.ts';
import { type ClientPlace, connectTo } from './place.ts';

export interface DaemonRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Without a byte for so long, it is given up; 0 for never. */
  readonly timeoutMs: number;
}

/** Largest answer that is taken in; a roll of thousands of sessions is far below. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Asks the daemon, and gives the answer once its headers are there. */
export async function ask(place: ClientPlace, question: DaemonRequest): Promise<IncomingMessage> {
  const { method, path, body, signal, timeoutMs } = question;
  const { headers, socket } = await connectTo(place, signal).catch((error: unknown) => {
    const isTold = error instanceof TypeError || error instanceof DaemonUnreachable || signal?.aborted;
    throw isTold ? error : unreachable(error);
  });
  const text = body === undefined ? null : JSON.stringify(body);
  const sent = {
    ...headers,
    ...question.headers,
    ...(text !== null && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const asking = request({
      ...{ method, path, headers: sent },
      createConnection: () => socket,
      ...(signal && { signal }),
    });
    asking.once('response', resolve);
    asking.once('error', (error) => reject(signal?.aborted ? error : unreachable(error)));
    asking.setTimeout(timeoutMs, () => asking.destroy(new Error('the daemon gave no answer in time')));
    asking.end(text ?? undefined);
  });
}

/** The text of an answer; a problem is thrown. */
export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw unreachable(error);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const { statusCode = 0 } = response;
  if (statusCode >= 200 && statusCode < 300) return text;
  throw new RollcallProblem(problemIn(text, statusCode));
}

export async function documentOf<T>(response: IncomingMessage): Promise<T> {
  const text = await textOf(response);
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new DaemonUnreachable('what answers there is no rollcall', { cause });
  }
}

function problemIn(text: string, status: number): ProblemDocument {
  try {
    const found = JSON.parse(text) as Partial<ProblemDocument>;
    if (typeof found.code === 'string' && typeof found.detail === 'string') return found as ProblemDocument;
  } catch {
    // Told below.
  }
  const detail = `an answer with status ${status} that is no rollcall’s`;
  return { type: 'about:blank', title: 'not understood', status, detail, hint: null, code: 'not-understood' };
}

function unreachable(cause: unknown): DaemonUnreachable {
  const { code = null, message } = cause as NodeJS.ErrnoException;
  return new DaemonUnreachable(`no daemon answers: ${message}`, { code, cause });
}
