import { spawn } from 'node:child_process';
import type { StartedDaemon } from '../../ports/daemon.ts';
import { withFile } from '../files/own-file.ts';
import { openForAppending } from '../files/replace-file.ts';

/**
 * Starts a program that outlives the terminal: a session and process group of its own, no standard streams but the log,
 * and not in the way of a file system that is to be unmounted. It belongs to no pane and no run, so it gets no mark of one.
 */
export function startBehind(argv: readonly string[], env: NodeJS.ProcessEnv, logPath: string): StartedDaemon {
  const { TMUX: _server, TMUX_PANE: _pane, ROLLCALL_RUN: _run, ROLLCALL_OWNER: _owner, ...rest } = env;
  const [program = '', ...words] = argv;
  return withFile(openForAppending(logPath), (log) => {
    const child = spawn(program, words, {
      cwd: '/',
      env: rest,
      detached: true,
      stdio: ['ignore', 'ignore', log],
    });
    let end: string | null = null;
    child.on('error', (error) => {
      end = error.message;
    });
    child.on('exit', (code, signal) => {
      end ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
    });
    child.unref();
    return { pid: child.pid ?? 0, ended: () => end };
  });
}
