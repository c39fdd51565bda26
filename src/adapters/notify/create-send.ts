import type { Notification } from '../../core/notify/notification.ts';
import type { NotifyRule } from '../../core/notify/rule.ts';
import { createTurns } from '../../core/take-turns.ts';
import type { EndStarted } from '../../ports/command-runner.ts';
import type { Delivery, SendNotification } from '../../ports/notify.ts';
import { sendToCommand, sendToDesktop } from './program-sinks.ts';
import { sendToWebhook } from './webhook-sink.ts';

/** As many programs and requests at once; the others wait their turn. */
const AT_ONCE = 4;
const RETRY_AFTER_MS = 1000;

export interface SendOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly retryAfterMs?: number;
  readonly endStarted?: EndStarted;
}

/** Makes the way out. */
export function createSend(options: SendOptions): SendNotification {
  const inTurn = createTurns(AT_ONCE);
  return (rule, notification, signal) => inTurn(() => sendBy(options, rule, notification, signal));
}

function sendBy(
  { env, platform = process.platform, retryAfterMs = RETRY_AFTER_MS, endStarted = () => {} }: SendOptions,
  { name, sink, timeoutMs }: NotifyRule,
  notification: Notification,
  signal: AbortSignal | undefined,
): Promise<Delivery> {
  const call = { env, endStarted, timeoutMs, signal };
  switch (sink.kind) {
    case 'command':
      return sendToCommand({ ...call, argv: sink.argv, rule: name }, notification);
    case 'webhook': {
      const { url, headerFile } = sink;
      return sendToWebhook({ url, headerFile, rule: name, retryAfterMs, timeoutMs, signal }, notification);
    }
    case 'desktop':
      return sendToDesktop(call, platform, notification);
  }
}
