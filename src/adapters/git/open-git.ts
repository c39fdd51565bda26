import { dirname } from 'node:path';
import { programPath } from '../../core/sight/program-path.ts';
import { endGroup } from '../programs/end-group.ts';
import { runProgram, type Spawn } from '../programs/run-program.ts';

/** git on one work tree. The calls share one allowance of time, so that a slow disk cannot add up. */
export type Git = (
  args: readonly string[],
  more?: { readonly stdin?: string; readonly maxBytes?: number },
) => Promise<GitAnswer>;

/** How git is reached, the same for every work tree. */
export interface GitAccess {
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly spawn?: Spawn;
}

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const MAX_STDERR_BYTES = 8192;

/**
 * Opens git on a work tree. Each call is bounded in time and output, and runs in a process group of its own so that nothing
 * it started outlives it. Without a seal git reads the repository's config: good for asking what that says, no more.
 */
export function openGit(access: GitAccess, root: string, seal?: string): Git {
  const deadline = performance.now() + access.timeoutMs;
  const env = gitEnvironment(access.env, root, seal);
  const options = gitOptions(root);
  return async (args, { stdin, maxBytes = MAX_OUTPUT_BYTES } = {}) => {
    const timeoutMs = Math.max(1, deadline - performance.now());
    const run = await runProgram({
      argv: ['git', ...options, ...args],
      env,
      // Never the caller's folder: it may be gone, and a PATH with relative entries must not find a program there.
      cwd: '/',
      timeoutMs,
      maxBytes,
      maxErrorBytes: MAX_STDERR_BYTES,
      isGroup: true,
      // Stragglers go at once: later, the id of the emptied group may belong to somebody else.
      onExit: endGroup,
      ...(stdin !== undefined && { input: stdin }),
      ...(access.spawn && { spawn: access.spawn }),
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
  };
}

type GitAnswer =
  | { readonly state: 'answered'; readonly stdout: Buffer; readonly isTruncated: boolean }
  /** The text is git's own and not yet safe to print. */
  | { readonly state: 'failed'; readonly text: string; readonly exitCode?: number };

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

// What the user chose for every git command stays; what points a single command elsewhere (GIT_DIR, GIT_INDEX_FILE,
// GIT_CONFIG_PARAMETERS …) or makes it talk (GIT_TRACE …) must not leak in from the hook or alias we were started from.
const KEPT = /^GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|EXEC_PATH)$/;

/**
 * The environment for looking at one work tree: no lock, no prompt, no network, no repository above the one found. `seal`
 * stands in for the repository's shared part, with a config that names no program.
 */
function gitEnvironment(env: NodeJS.ProcessEnv, root: string, seal?: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || KEPT.test(name));
  return {
    ...Object.fromEntries(kept),
    // git works in the repository's folder: there, a relative entry would find the repository's programs.
    PATH: programPath(env.PATH),
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CEILING_DIRECTORIES: dirname(root),
    // A partial clone fetches missing objects on reading, through whatever program its config names. git 2.44 can be
    // told not to; older ones are stopped by a list of transports that holds none.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    ...(seal === undefined ? {} : { GIT_COMMON_DIR: seal }),
  };
}

/** Options before the git command that keep the user's own config from running anything but content filters. */
function gitOptions(root: string): string[] {
  const settings = [
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.quotePath=true',
    'core.pager=cat',
    'diff.suppressBlankEmpty=false',
  ];
  const options = ['-C', root, '--no-pager', '--literal-pathspecs'];
  return [...options, ...settings.flatMap((setting) => ['-c', setting])];
}
