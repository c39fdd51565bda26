import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Longest path a Unix socket address holds: 104 bytes with the closing NUL on macOS, 108 on Linux. */
const MAX_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;

/** Says whether tmux and the kernel can be asked about this path at all; a longer one would be cut silently. */
export function isSocketPath(path: string): boolean {
  return path.startsWith('/') && !path.includes('\0') && Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

/** Resolves what a user calls a server, a label (`-L`) or a path (`-S`), the way tmux does. */
export function socketPathOf(server: string, env: NodeJS.ProcessEnv, uid: number): string {
  if (server.includes('/')) return resolve(server);
  return join(resolve(env.TMUX_TMPDIR || '/tmp'), `tmux-${uid}`, server);
}

/** The socket in a TMUX variable (`path,server pid,session number`); the path itself may hold commas. */
export function socketPathInTmux(tmux: string | undefined): string | undefined {
  return /^(\/.*),\d+,\d+$/s.exec(tmux ?? '')?.[1];
}

/**
 * One spelling for one socket, however it was reached. A file that is gone keeps its real folder, and a real path
 * too long for a socket address keeps the short spelling that works.
 */
export function realSocketPath(path: string): string {
  const real = realPathOf(path) ?? join(realPathOf(dirname(path)) ?? dirname(path), basename(path));
  return isSocketPath(real) ? real : path;
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
