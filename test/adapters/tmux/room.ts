import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { PrivateTmux } from '../../support/private-tmux.ts';
import { listenOn, UID } from './look.ts';

/** What a test needs to set up servers of its own; everything is gone after each test. */
export interface Room {
  /** A folder of the test's own. */
  readonly base: string;
  newServer(label?: string): PrivateTmux;
  /** A server on a `-S` socket; gives its pid. */
  serverOn(socketPath: string): number;
  /** A listener that is no tmux server; gives its path. */
  listener(path: string, greet?: Parameters<typeof listenOn>[1]): Promise<string>;
}

/** Opens a room for all tests of a file. */
export function openRoom(): Room {
  let base = '';
  const closers: (() => void | Promise<void>)[] = [];
  beforeEach(() => {
    base = mkdtempSync(join(process.env.ROLLCALL_TEST_FOLDER ?? tmpdir(), 's-'));
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
    rmSync(base, { recursive: true, force: true });
  });
  return {
    get base() {
      return base;
    },
    newServer(label) {
      const server = new PrivateTmux(label);
      closers.push(() => server.stop());
      return server;
    },
    serverOn(socketPath) {
      const session = ['new-session', '-d', '-s', 'main', '-P', '-F', '#{pid}', 'sleep', '1000'];
      const argv = ['-S', socketPath, '-f', '/dev/null', ...session];
      const pid = Number(execFileSync('tmux', argv, { cwd: base, encoding: 'utf8' }));
      closers.push(() => end(pid));
      return pid;
    },
    async listener(path, greet) {
      const { close } = await listenOn(path, greet);
      closers.push(close);
      return path;
    },
  };
}

/** The folder in which tmux keeps the sockets below a TMUX_TMPDIR. */
export function folderOf(parent: string): string {
  return join(parent, `tmux-${UID}`);
}

// A server that a test stopped has to be woken to end.
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
    process.kill(pid, 'SIGCONT');
  } catch {
    // Already gone.
  }
}
