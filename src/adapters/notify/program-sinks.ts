import type { Notification } from '../../core/notify/notification.ts';
import { maskSecrets } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import type { EndStarted, StartedProgram } from '../../ports/command-runner.ts';
import type { Delivery } from '../../ports/notify.ts';
import { runMarked } from '../programs/run-marked.ts';
import type { ProgramRun } from '../programs/run-program.ts';

/** More of an output helps nobody to see why a program failed. */
const KEPT_CHARACTERS = 400;

export interface SinkCall {
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly endStarted: EndStarted;
}

/** Runs the user's command: everything as JSON on its input, the most wanted in its environment, nothing in its words. */
export function sendToCommand(
  call: SinkCall & { readonly argv: readonly string[]; readonly rule: string },
  notification: Notification,
): Promise<Delivery> {
  const { argv, rule, env } = call;
  const program = visible(argv[0] ?? '', 200);
  const own = { ...call, env: { ...env, ...variables(rule, notification) } };
  return send(own, argv, `${JSON.stringify({ rule, ...notification })}\n`, {
    program,
    done: `${program} ended with status 0`,
    absent: `there is no program ${program}`,
    hint: 'write the path of a program, or a name that is on PATH',
  });
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

/** Shows it on the desktop of this user. */
export function sendToDesktop(
  call: SinkCall,
  platform: NodeJS.Platform,
  notification: Notification,
): Promise<Delivery> {
  const argv = platform === 'darwin' ? macosWords(notification) : linuxWords(notification);
  const [program = ''] = argv;
  return send(call, argv, '', {
    program,
    done: `${program} has shown it`,
    absent: `there is no ${program} on PATH`,
    hint: 'install it (on Debian: libnotify-bin), or use a command or a webhook',
  });
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

interface Words {
  readonly program: string;
  readonly done: string;
  readonly absent: string;
  readonly hint: string;
}

/** Runs a program without a shell, in a group of its own that is ended when its time is up. Texts are safe to print. */
async function send(
  call: SinkCall,
  argv: readonly string[],
  input: string,
  { program, done, absent, hint }: Words,
): Promise<Delivery> {
  const { env, timeoutMs, signal } = call;
  if (signal?.aborted) return { state: 'failed', text: `${program} rollcall ended before` };
  const { run, output } = await runMarked({
    argv,
    env,
    cwd: '/',
    input,
    timeoutMs,
    signal,
    keptCharacters: KEPT_CHARACTERS,
    onExit: (started, why) => (why === 'exit' ? endLater(call, started) : call.endStarted(started)),
  });
  if (run.ended === 'exit' && run.code === 0) return { state: 'sent', text: done };
  if (run.ended === 'unstartable' && run.errorCode === 'ENOENT')
    return { state: 'failed', text: absent, hint };
  const said = visible(maskSecrets(output.trim()), KEPT_CHARACTERS);
  const how = `${program} ${howOf(run, timeoutMs)}`;
  return { state: 'failed', text: said === '' ? how : `${how}: ${said}` };
}

function howOf(run: ProgramRun, timeoutMs: number): string {
  switch (run.ended) {
    case 'unstartable':
      return `could not be started (${visible(run.errorCode || run.text, 200)})`;
    case 'timeout':
      return `took longer than ${timeoutMs} ms and was ended`;
    case 'aborted':
      return 'was ended with rollcall';
    default:
      return run.signal === null ? `ended with status ${run.code}` : `was ended by ${run.signal}`;
  }
}

// Many a command leaves the slow part behind and ends: that part has as long as the command had.
function endLater({ endStarted, timeoutMs, signal }: SinkCall, started: StartedProgram): void {
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    endStarted(started);
  };
  const timer = setTimeout(end, Math.max(0, started.startedAt + timeoutMs - Date.now())).unref();
  signal?.addEventListener('abort', end);
}
