import { programPath } from '../../core/sight/program-path.ts';
import { runProgram, type Spawn } from '../programs/run-program.ts';

/** How one tmux client call ended. Only `exit` with code 0 is an answer; what the others printed is incomplete. */
export type TmuxRun =
  | {
      readonly ended: 'exit';
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly stdout: Buffer;
      readonly stderr: string;
    }
  | { readonly ended: 'timeout' }
  | { readonly ended: 'aborted' }
  | { readonly ended: 'too-long'; readonly stdout: Buffer }
  | { readonly ended: 'unstartable'; readonly text: string };

export interface TmuxRunnerOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly tmuxPath?: string;
  readonly spawn?: Spawn;
}

/**
 * Runs one tmux command list against one socket, bounded in time and size. It never throws. What stands in the command
 * can be read by every user of the machine, in /proc; what is given as `input` cannot.
 */
export type RunTmux = (
  socketPath: string,
  command: readonly string[],
  bounds: { readonly maxBytes: number; readonly signal?: AbortSignal; readonly input?: string },
) => Promise<TmuxRun>;

const MAX_ERROR_BYTES = 16_384;

/** Makes the runner. The caller's own TMUX and TMUX_PANE are withheld: with them tmux would answer for that pane. */
export function createTmuxRunner(options: TmuxRunnerOptions): RunTmux {
  const { TMUX: _server, TMUX_PANE: _pane, ...rest } = options.env;
  const env = { ...rest, PATH: programPath(rest.PATH), LC_ALL: 'C.UTF-8' };
  const { timeoutMs, tmuxPath = 'tmux', spawn } = options;
  return (socketPath, command, { maxBytes, signal, input }) =>
    runProgram({
      argv: [tmuxPath, '-u', '-S', socketPath, ...command],
      env,
      timeoutMs,
      maxBytes,
      maxErrorBytes: MAX_ERROR_BYTES,
      signal,
      ...(input !== undefined && { input }),
      ...(spawn !== undefined && { spawn }),
    });
}
