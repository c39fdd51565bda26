import { openSync, readSync } from 'node:fs';
import { programPath } from '../../core/sight/program-path.ts';
import type { ServerFailure } from '../../core/sight/sighting.ts';
import { visible } from '../../core/text/visible.ts';
import { withFile } from '../files/own-file.ts';
import { type ProgramOutput, runProgram, type Spawn } from '../programs/run-program.ts';

/** How one tmux client call ended. Only `exit` with code 0 is an answer; what the others printed is incomplete. */
export type TmuxRun =
  | ({ readonly ended: 'exit' } & ProgramOutput)
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

/**
 * A word that nothing on a screen can foresee, to delimit what tmux prints. Straight from the kernel: importing
 * node:crypto costs more than the rest of a listing.
 */
export function createNonce(): string {
  const bytes = Buffer.allocUnsafe(9);
  withFile(openSync('/dev/urandom', 'r'), (source) => readSync(source, bytes, 0, bytes.length, null));
  return bytes.toString('hex');
}

/** Why a call brought no answer: the server is exactly absent, or the call failed and proves nothing. */
export type NoAnswer =
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly failure: ServerFailure; readonly text: string };

/** Judges a call that did not bring the wanted output. Only tmux's own word about this very socket is absence. */
export function readNoAnswer(run: TmuxRun, socketPath: string): NoAnswer {
  switch (run.ended) {
    case 'timeout':
      return failed('timeout', 'tmux did not answer in time');
    case 'aborted':
      return failed('stopped', 'the server process is stopped');
    case 'too-long':
      return failed('garbled', 'tmux printed more than any listing holds');
    case 'unstartable':
      return failed('failed', `tmux could not be started: ${run.text}`);
    case 'exit': {
      if (run.signal !== null) return failed('failed', `the tmux client was killed by ${run.signal}`);
      if (run.code === 0) return failed('garbled', 'tmux printed something else than was asked');
      return readComplaint(run.stderr.trimEnd(), socketPath);
    }
  }
}

// Wordings of tmux 3.0 to 3.7; all but the first two lines mean that something is there.
function readComplaint(complaint: string, socketPath: string): NoAnswer {
  if (complaint === `no server running on ${socketPath}`) return { state: 'absent' };
  const connecting = `error connecting to ${socketPath} `;
  if (complaint === `${connecting}(No such file or directory)`) return { state: 'absent' };
  if (complaint === `${connecting}(Connection refused)`) return { state: 'absent' };
  if (complaint === `${connecting}(Permission denied)`) return failed('not-permitted', complaint);
  if (complaint === `${connecting}(Operation not permitted)`) return failed('not-permitted', complaint);
  if (/access not allowed|protocol version mismatch|server version is too old/.test(complaint)) {
    return failed('refused', complaint);
  }
  return failed('failed', complaint || 'tmux failed without a word');
}

function failed(failure: ServerFailure, text: string): NoAnswer {
  return { state: 'failed', failure, text: visible(text, 500) };
}
