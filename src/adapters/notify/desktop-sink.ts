import type { Notification } from '../../core/notify/notification.ts';
import { visible } from '../../core/text/visible.ts';
import type { EndStarted } from '../../ports/command-runner.ts';
import type { Delivery } from '../../ports/notify.ts';
import { runForSink } from './run-for-sink.ts';

export interface DesktopCall {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly endStarted: EndStarted;
}

/** Shows it on the desktop of this user. */
export async function sendToDesktop(call: DesktopCall, notification: Notification): Promise<Delivery> {
  const { platform, env, timeoutMs, signal, endStarted } = call;
  const argv = platform === 'darwin' ? macosWords(notification) : linuxWords(notification);
  const program = argv[0] ?? '';
  const end = await runForSink({ argv, env, timeoutMs, signal, endStarted, input: '' });
  switch (end.state) {
    case 'done':
      return { state: 'sent', text: `${program} has shown it` };
    case 'absent':
      return {
        ...{ state: 'failed', text: `there is no ${program} on PATH` },
        hint: 'install it (on Debian: libnotify-bin), or use a command or a webhook',
      };
    case 'failed':
      return { state: 'failed', text: `${program} ${end.text}` };
  }
}

const LONGEST_BODY = 400;

function bodyOf({ text, host }: Notification): string {
  return visible(`${text} (${host})`, LONGEST_BODY);
}

// Behind `--`, so that a name with a dash in front is no option. The body may hold markup, the title never does.
function linuxWords(notification: Notification): string[] {
  const body = bodyOf(notification).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['notify-send', '--app-name=rollcall', '--', notification.title, body];
}

// The texts are arguments of the script, never a part of it. Untested on a real Mac.
function macosWords(notification: Notification): string[] {
  return [
    'osascript',
    ...['-e', 'on run argv'],
    ...['-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
    ...['-e', 'end run'],
    ...['--', notification.title, bodyOf(notification)],
  ];
}
