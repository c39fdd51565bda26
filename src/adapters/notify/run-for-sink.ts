import { maskSecrets } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import type { EndStarted, Started } from '../../ports/command-runner.ts';
import { type ProgramRun, runProgram } from '../programs/run-program.ts';
import { withMark } from '../programs/started-mark.ts';

/** More of an output helps nobody to see why a program failed; the end of it tells most. */
const KEPT_CHARACTERS = 400;

export interface ProgramCall {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly endStarted: EndStarted;
}

/** How a program ended; texts are safe to print. */
export type ProgramEnd =
  | { readonly state: 'done' }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly text: string };

/** Runs a program without a shell, in a group of its own that is ended when its time is up. */
export async function runForSink(call: ProgramCall): Promise<ProgramEnd> {
  const { argv, input, timeoutMs, signal } = call;
  if (signal?.aborted) return { state: 'failed', text: 'rollcall ended before' };
  const started = withMark(call.env);
  let output = '';
  const run = await runProgram({
    argv,
    cwd: '/',
    env: started.env,
    input,
    timeoutMs,
    signal,
    isGroup: true,
    isAwaited: true,
    hear(text) {
      output = `${output}${text}`.slice(-KEPT_CHARACTERS);
    },
    onExit: (_, why) => (why === 'exit' ? endLater(call, started) : call.endStarted(started)),
  });
  if (run.ended === 'unstartable') return notStarted(run.errorCode, run.text);
  if (run.ended === 'exit' && run.code === 0) return { state: 'done' };
  const said = visible(maskSecrets(output.trim()), KEPT_CHARACTERS);
  const how = howOf(run, timeoutMs);
  return { state: 'failed', text: said === '' ? how : `${how}: ${said}` };
}

function howOf({ ended, code, signal }: Extract<ProgramRun, { code: unknown }>, timeoutMs: number): string {
  if (ended === 'timeout') return `took longer than ${timeoutMs} ms and was ended`;
  if (ended === 'aborted') return 'was ended with rollcall';
  return signal === null ? `ended with status ${code}` : `was ended by ${signal}`;
}

// Many a command leaves the slow part behind and ends: that part has as long as the command had.
function endLater({ endStarted, timeoutMs, signal }: ProgramCall, started: Started): void {
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    endStarted(started);
  };
  const timer = setTimeout(end, Math.max(0, started.startedAt + timeoutMs - Date.now())).unref();
  signal?.addEventListener('abort', end);
}

function notStarted(code: string, text: string): ProgramEnd {
  return code === 'ENOENT'
    ? { state: 'absent' }
    : { state: 'failed', text: `could not be started (${visible(code || text, 200)})` };
}
