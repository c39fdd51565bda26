import { spawnSync } from 'node:child_process';

export interface ProgramPrint {
  /** Whether it ended by itself with exit code 0. */
  readonly isDone: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it did not come to its own end; null where it did, whatever its exit code. */
  readonly cut: string | null;
}

/** Runs one of the system's own programs without a shell and waits for it, bounded in time and output. */
export function runNow(
  [program = '', ...words]: readonly string[],
  { timeoutMs, env, killSignal = 'SIGKILL' }: RunNowBounds,
): ProgramPrint {
  const { stdout, stderr, error, signal, status } = spawnSync(program, words, {
    ...(env !== undefined && { env }),
    encoding: 'utf8',
    timeout: timeoutMs,
    killSignal,
    maxBuffer: MAX_BYTES,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const cut = error === undefined ? signal && `was ended by ${signal}` : `could not be run: ${error.message}`;
  return { isDone: cut === null && status === 0, stdout: stdout ?? '', stderr: stderr ?? '', cut };
}

const MAX_BYTES = 64 * 1024 * 1024;

interface RunNowBounds {
  readonly timeoutMs: number;
  /** The environment of this process unless told. */
  readonly env?: NodeJS.ProcessEnv;
  readonly killSignal?: NodeJS.Signals;
}
