import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Notification } from '../../core/notify/notification.ts';
import { visible } from '../../core/text/visible.ts';
import type { Delivery } from '../../ports/notify.ts';
import { readHeaders } from './header-file.ts';

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
 * Posts it as JSON. One more try where the other side or the way to it failed, none where it said no. Neither the path of
 * the URL, which often is the secret, nor its user or query is ever in a text.
 */
export async function sendToWebhook(call: WebhookCall, notification: Notification): Promise<Delivery> {
  const read = call.headerFile === null ? null : readHeaders(call.headerFile);
  if (read?.state === 'refused') return { state: 'failed', text: read.text, hint: read.hint };
  const body = JSON.stringify({ rule: call.rule, ...notification });
  const headers = read?.headers ?? {};
  const first = await post(call, headers, body);
  if (!first.mayRetry || call.signal?.aborted) return first.delivery;
  await pause(call.retryAfterMs, call.signal);
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
    const sending = request(url, {
      ...{ method: 'POST', headers, agent: false, maxHeaderSize: 16 * 1024 },
      ...(signal && { signal }),
    });
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

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
