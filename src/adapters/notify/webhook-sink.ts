import { constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { Notification } from '../../core/notify/notification.ts';
import { visible } from '../../core/text/visible.ts';
import type { Delivery } from '../../ports/notify.ts';
import { withFile } from '../files/own-file.ts';

export interface WebhookCall {
  readonly url: string;
  readonly headerFile: string | null;
  readonly rule: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Before the second try. */
  readonly retryAfterMs: number;
}

type Posted = { readonly delivery: Delivery; readonly mayRetry: boolean };

/**
 * Posts it as JSON. Tries once more if the server or the network failed, but not if the server refused. No text ever
 * holds the path of the URL (often the secret), its user or its query.
 */
export async function sendToWebhook(call: WebhookCall, notification: Notification): Promise<Delivery> {
  const read = call.headerFile === null ? null : readHeaders(call.headerFile);
  if (read?.state === 'refused') return { state: 'failed', text: read.text, hint: read.hint };
  const body = JSON.stringify({ rule: call.rule, ...notification });
  const headers = read?.headers ?? {};
  const first = await post(call, headers, body);
  if (!first.mayRetry || call.signal?.aborted) return first.delivery;
  await pause(call.retryAfterMs, undefined, call.signal && { signal: call.signal }).catch(() => {});
  return (await post(call, headers, body)).delivery;
}

function post(
  { url: written, timeoutMs, signal }: WebhookCall,
  own: Readonly<Record<string, string>>,
  body: string,
): Promise<Posted> {
  const url = new URL(written);
  const where = `${url.protocol}//${visible(url.host, 200)}`;
  const headers = {
    'user-agent': 'rollcall',
    ...own,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    let isLate = false;
    const how = { method: 'POST', headers, agent: false, maxHeaderSize: 16 * 1024 };
    const sending = request(url, { ...how, ...(signal && { signal }) });
    const timer = setTimeout(() => {
      isLate = true;
      sending.destroy();
    }, timeoutMs);
    const end = (delivery: Delivery, mayRetry: boolean) => {
      clearTimeout(timer);
      resolve({ delivery, mayRetry });
    };
    const failed = (text: string, mayRetry: boolean) =>
      end({ state: 'failed', text: `${where} ${text}` }, mayRetry);
    sending.on('error', (error: NodeJS.ErrnoException) => {
      if (isLate) failed(`did not answer within ${timeoutMs} ms`, false);
      else if (signal?.aborted) failed('was not reached before rollcall ended', false);
      else failed(`cannot be reached (${visible(error.code ?? 'unknown', 100)})`, true);
    });
    sending.on('response', (response) => {
      const { statusCode = 0 } = response;
      // What it has to say beyond its status is not read.
      response.on('error', () => {}).destroy();
      if (statusCode >= 200 && statusCode < 300) {
        end({ state: 'sent', text: `${where} answered ${statusCode}` }, false);
      } else if (statusCode >= 300 && statusCode < 400) {
        failed(`answered ${statusCode}: redirects are not followed`, false);
      } else {
        failed(`answered ${statusCode}`, statusCode >= 500 || statusCode === 429);
      }
    });
    sending.end(body);
  });
}

const MAX_BYTES = 8 * 1024;

export type ReadHeaders =
  | { readonly state: 'read'; readonly headers: Readonly<Record<string, string>> }
  | { readonly state: 'refused'; readonly text: string; readonly hint: string };

/** Reads `Name: value` lines from a file that only its user may read. Read anew each time: tokens change. */
function readHeaders(path: string): ReadHeaders {
  try {
    return withFile(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), (file) => {
      const stat = fstatSync(file);
      if (!stat.isFile() || stat.size > MAX_BYTES) {
        return refused(path, 'is not a small regular file', 'write lines such as: Authorization: Bearer …');
      }
      if ((stat.mode & 0o077) !== 0) {
        return refused(path, 'can be read by other users', `run: chmod 600 ${path}`);
      }
      return parse(path, readFileSync(file, 'utf8'));
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return refused(path, `cannot be read (${code})`, 'check the path of headerFile');
  }
}

// Names and values as HTTP has them; a value is never repeated in an error, it may be a token.
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*([\x20-\x7e]*?)[ \t]*$/;

function parse(path: string, text: string): ReadHeaders {
  const headers: Record<string, string> = {};
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const match = HEADER.exec(line);
    if (match === null) {
      return refused(path, `has no header in line ${at + 1}`, 'write lines such as: Authorization: Bearer …');
    }
    headers[match[1] as string] = match[2] as string;
  }
  return { state: 'read', headers };
}

function refused(path: string, text: string, hint: string): ReadHeaders {
  return { state: 'refused', text: visible(`${path} ${text}`, 600), hint: visible(hint, 600) };
}
