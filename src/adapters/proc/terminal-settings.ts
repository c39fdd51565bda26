import { runProgram, type Spawn } from '../programs/run-program.ts';

/** Reads the settings of a terminal as the words of `stty -a` (`-icanon`, `lnext=<undef>`), or says why it cannot. */
export type AskTerminal = (path: string) => Promise<ReadonlySet<string> | string>;

const TIMEOUT_MS = 2000;
const MAX_BYTES = 16_384;

/**
 * Asks stty, which opens the terminal without waiting for it. It leads no session, so the terminal never becomes its own;
 * one that hangs all the same is left behind.
 */
export function createAskTerminal(
  env: NodeJS.ProcessEnv,
  options: { readonly spawn?: Spawn; readonly timeoutMs?: number } = {},
): AskTerminal {
  const { spawn, timeoutMs = TIMEOUT_MS } = options;
  const own = { PATH: env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' };
  return async (path) => {
    const run = await runProgram({
      argv: ['stty', '-F', path, '-a'],
      cwd: '/',
      env: own,
      timeoutMs,
      maxBytes: MAX_BYTES,
      ...(spawn !== undefined && { spawn }),
    });
    if (run.ended === 'unstartable') return `stty cannot be started: ${run.text}`;
    if (run.ended === 'timeout') return `stty gave no answer within ${timeoutMs} ms`;
    const settings = settingsIn(run.stdout.toString('utf8'));
    return run.code === 0 && settings.size > 0 ? settings : 'stty cannot read its terminal';
  };
}

function settingsIn(text: string): ReadonlySet<string> {
  const values = [...text.matchAll(/(\w+) = ([^;\n]*)/g)].map(
    ([, name, value]) => `${name}=${value?.trim()}`,
  );
  const flags = text.replace(/\w+ = [^;\n]*/g, ' ').match(/(?<=\s)-?[a-z]\w*(?=[\s;])/g) ?? [];
  return new Set([...values, ...flags]);
}
