import { endGroup } from '../programs/end-group.ts';
import { runProgram, type Spawn } from '../programs/run-program.ts';

export type GitAnswer =
  | { readonly state: 'answered'; readonly stdout: Buffer; readonly isTruncated: boolean }
  /** The text is git's own and not yet safe to print. */
  | { readonly state: 'failed'; readonly text: string; readonly exitCode?: number };

export interface GitRun {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly input?: string;
  readonly spawn?: Spawn;
}

const MAX_STDERR_BYTES = 8192;

/** Runs git once, bounded in time and output, in a process group of its own so that nothing it started outlives it. */
export async function runGit({ args, maxBytes, timeoutMs, ...more }: GitRun): Promise<GitAnswer> {
  const run = await runProgram({
    argv: ['git', ...args],
    // Never the caller's folder: it may be gone, and a PATH with relative entries must not find a program there.
    cwd: '/',
    timeoutMs,
    maxBytes,
    maxErrorBytes: MAX_STDERR_BYTES,
    isGroup: true,
    // Stragglers go at once: later, the id of the emptied group may belong to somebody else.
    onExit: endGroup,
    ...more,
  });
  switch (run.ended) {
    case 'exit':
      if (run.code === 0) return { state: 'answered', stdout: run.stdout, isTruncated: false };
      return refusal(run.code, run.signal, run.stderr);
    case 'too-long':
      return { state: 'answered', stdout: run.stdout.subarray(0, maxBytes), isTruncated: true };
    case 'unstartable':
      return failed(
        run.errorCode === 'ENOENT' ? 'git is not installed' : `git could not be started: ${run.text}`,
      );
    default:
      return failed(`git gave no answer within ${Math.round(timeoutMs)} ms`);
  }
}

function failed(text: string, exitCode: number | null = null): GitAnswer {
  return { state: 'failed', text, ...(exitCode === null ? {} : { exitCode }) };
}

function refusal(code: number | null, signal: NodeJS.Signals | null, stderr: string): GitAnswer {
  const fatal = /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ?? stderr.trim().split('\n', 1)[0];
  const remedy = /^\s*(git config --global --add safe\.directory .*)$/m.exec(stderr)?.[1];
  const ending = signal === null ? `git ended with ${code}` : `git was ended by ${signal}`;
  const text = [fatal || ending, ...(remedy === undefined ? [] : [`to allow it: ${remedy}`])].join('; ');
  return failed(text, code);
}
