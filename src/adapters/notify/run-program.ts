import { type ChildProcess, spawn } from 'node:child_process';
import { maskSecrets } from '../../core/text/mask-secrets.ts';
import { visible } from '../../core/text/visible.ts';
import type { EndStarted, Started } from '../../ports/command-runner.ts';
import { endGroup } from '../programs/end-group.ts';
import { afterLastWords } from '../programs/last-words.ts';
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
export function runProgram(call: ProgramCall): Promise<ProgramEnd> {
  const { argv, input, timeoutMs, signal } = call;
  const [program = '', ...words] = argv;
  const started = withMark(call.env);
  const { env } = started;
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve({ state: 'failed', text: 'rollcall ended before' });
    let child: ChildProcess;
    try {
      child = spawn(program, words, { cwd: '/', env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    } catch (error) {
      return resolve(notStarted(error as NodeJS.ErrnoException));
    }
    let output = '';
    let cut: string | null = null;
    const hear = (text: string) => {
      output = `${output}${text}`.slice(-KEPT_CHARACTERS);
    };
    child.stdout?.setEncoding('utf8').on('data', hear);
    child.stderr?.setEncoding('utf8').on('data', hear);
    // Who does not read what it is given is free to.
    child.stdin?.on('error', () => {}).end(input);
    const end = (why: string) => {
      cut ??= why;
      endGroup(child);
    };
    const timer = setTimeout(() => end(`took longer than ${timeoutMs} ms and was ended`), timeoutMs);
    const abort = () => end('was ended with rollcall');
    signal?.addEventListener('abort', abort);
    const finish = (result: ProgramEnd) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      // What it left running may hold these open for ever.
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      resolve(result);
    };
    child.on('error', (error) => finish(notStarted(error)));
    child.on('exit', (exitCode, killer) => {
      if (cut === null) endLater(call, started);
      else call.endStarted(started);
      afterLastWords(child, () => {
        if (cut === null && exitCode === 0) return finish({ state: 'done' });
        const how = cut ?? (killer === null ? `ended with status ${exitCode}` : `was ended by ${killer}`);
        const said = visible(maskSecrets(output.trim()), KEPT_CHARACTERS);
        finish({ state: 'failed', text: said === '' ? how : `${how}: ${said}` });
      });
    });
  });
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

function notStarted(error: NodeJS.ErrnoException): ProgramEnd {
  return error.code === 'ENOENT'
    ? { state: 'absent' }
    : { state: 'failed', text: `could not be started (${visible(error.code ?? error.message, 200)})` };
}
