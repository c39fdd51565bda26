import type { Notification } from '../../core/notify/notification.ts';
import { visible } from '../../core/text/visible.ts';
import type { EndStarted } from '../../ports/command-runner.ts';
import type { Delivery } from '../../ports/notify.ts';
import { runForSink } from './run-for-sink.ts';

export interface CommandCall {
  readonly argv: readonly string[];
  readonly rule: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly endStarted: EndStarted;
}

/** Runs the user's command: everything as JSON on its input, the most wanted in its environment, nothing in its words. */
export async function sendToCommand(call: CommandCall, notification: Notification): Promise<Delivery> {
  const { argv, rule, env, timeoutMs, signal, endStarted } = call;
  const program = visible(argv[0] ?? '', 200);
  const end = await runForSink({
    argv,
    timeoutMs,
    signal,
    endStarted,
    input: `${JSON.stringify({ rule, ...notification })}\n`,
    env: { ...env, ...variables(rule, notification) },
  });
  switch (end.state) {
    case 'done':
      return { state: 'sent', text: `${program} ended with status 0` };
    case 'absent':
      return {
        ...{ state: 'failed', text: `there is no program ${program}` },
        hint: 'write the path of a program, or a name that is on PATH',
      };
    case 'failed':
      return { state: 'failed', text: `${program} ${end.text}` };
  }
}

function variables(rule: string, { event, title, text, host, session }: Notification): NodeJS.ProcessEnv {
  return {
    ROLLCALL_RULE: rule,
    ROLLCALL_EVENT: event,
    ROLLCALL_TITLE: title,
    ROLLCALL_TEXT: text,
    ROLLCALL_HOST: host,
    ROLLCALL_SESSION: session?.name ?? '',
    ROLLCALL_SESSION_KEY: session?.key ?? '',
    ROLLCALL_SERVER: session?.server ?? '',
  };
}
