import { type ChildProcess, type SpawnOptions, spawn as spawnChild } from 'node:child_process';
import { programPath } from '../../core/sight/program-path.ts';
import { answerTime } from '../programs/answer-time.ts';

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

/** Starts a child process; replaceable so that a test can count the forks. */
export type Spawn = (file: string, argv: readonly string[], options: SpawnOptions) => ChildProcess;

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
  const spawn = options.spawn ?? spawnChild;
  const file = options.tmuxPath ?? 'tmux';

  return (socketPath, command, { maxBytes, signal, input }) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve({ ended: 'aborted' });
      let child: ChildProcess;
      try {
        const stdin = input === undefined ? 'ignore' : 'pipe';
        child = spawn(file, ['-u', '-S', socketPath, ...command], { env, stdio: [stdin, 'pipe', 'pipe'] });
      } catch (error) {
        return resolve({ ended: 'unstartable', text: messageOf(error) });
      }

      const stdout: Buffer[] = [];
      let stdoutBytes = 0;
      let stderr = '';
      let isOver = false;
      const end = (run: TmuxRun): void => {
        if (isOver) return;
        isOver = true;
        callOff();
        signal?.removeEventListener('abort', abort);
        resolve(run);
      };
      const kill = (run: TmuxRun): void => {
        end(run);
        child.kill('SIGKILL');
        child.stdin?.destroy();
        child.stdout?.destroy();
        child.stderr?.destroy();
      };
      const abort = (): void => kill({ ended: 'aborted' });
      signal?.addEventListener('abort', abort);
      const callOff = answerTime(options.timeoutMs, () => kill({ ended: 'timeout' }));

      child.stdout?.on('data', (chunk: Buffer) => {
        stdout.push(chunk);
        stdoutBytes += chunk.length;
        if (stdoutBytes > maxBytes) kill({ ended: 'too-long', stdout: Buffer.concat(stdout) });
      });
      child.stderr?.on('data', (chunk: Buffer) => {
        if (stderr.length < MAX_ERROR_BYTES) stderr += chunk.toString('utf8');
      });
      // A client that ends without reading says why on its own.
      child.stdin?.on('error', () => {}).end(input);
      child.on('error', (error) => kill({ ended: 'unstartable', text: messageOf(error) }));
      child.on('close', (code, killedBy) =>
        end({ ended: 'exit', code, signal: killedBy, stdout: Buffer.concat(stdout), stderr }),
      );
    });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
