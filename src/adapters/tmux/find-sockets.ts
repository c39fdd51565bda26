import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { ServerFailure } from '../../core/sight/sighting.ts';

/** A place where a server may listen, before anyone asked it. */
export type SocketPlace =
  | {
      readonly state: 'socket';
      readonly socketPath: string;
      /** Changes whenever another server binds here: a new server always makes a new file. */
      readonly mark: string;
      readonly changedAt: number;
    }
  | { readonly state: 'absent'; readonly socketPath: string }
  | {
      readonly state: 'failed';
      readonly socketPath: string;
      readonly failure: ServerFailure;
      readonly text: string;
    };

/** Folders in which tmux keeps the sockets of this user, as launchers with other environments would choose them. */
export function socketFolders(env: NodeJS.ProcessEnv, uid: number): string[] {
  const name = `tmux-${uid}`;
  const parents = [env.TMUX_TMPDIR, '/tmp', env.TMPDIR].filter((parent) => parent);
  const folders = parents.map((parent) => join(resolve(parent ?? ''), name));
  const own = socketPathInTmux(env.TMUX);
  // With `-S` the folder may hold sockets of any program, so only a folder that tmux itself named is searched.
  if (own !== undefined && basename(dirname(own)) === name) folders.push(dirname(own));
  return [...new Set(folders)];
}

/**
 * Lists the sockets of one folder. A folder that somebody else made or may write to could lead to any server, so it
 * is refused whole. Sockets of another owner are passed over: they are not this user's sessions.
 */
export function findSockets(folder: string, uid: number): SocketPlace[] {
  let names: string[];
  try {
    const facts = lstatSync(folder);
    const distrust = distrustOf(facts, uid);
    if (distrust !== undefined) return [refused(folder, `socket folder not trusted: ${distrust}`)];
    names = readdirSync(folder);
  } catch (error) {
    return isMissing(error) ? [] : [refused(folder, `socket folder not readable: ${codeOf(error)}`)];
  }
  return names
    .map((name) => inspectSocket(join(folder, name), uid))
    .filter((place) => place.state === 'socket');
}

/** Looks at one path that was named: by the user, by TMUX, by a server process or by an earlier look. */
export function inspectSocket(path: string, uid: number): SocketPlace {
  const socketPath = isAbsolute(path) ? realSocketPath(path) : path;
  if (!isSocketPath(socketPath)) {
    return { state: 'failed', socketPath, failure: 'failed', text: 'not usable as a socket path' };
  }
  try {
    const facts = lstatSync(socketPath);
    if (!facts.isSocket()) return { state: 'absent', socketPath };
    if (facts.uid !== uid) return refused(socketPath, 'socket of another user');
    const mark = `${facts.dev}.${facts.ino}.${facts.ctimeMs}`;
    return { state: 'socket', socketPath, mark, changedAt: facts.ctimeMs };
  } catch (error) {
    return isMissing(error) ? { state: 'absent', socketPath } : refused(socketPath, codeOf(error));
  }
}

function distrustOf(
  facts: { isDirectory(): boolean; readonly uid: number; readonly mode: number },
  uid: number,
): string | undefined {
  if (!facts.isDirectory()) return 'not a folder of its own';
  if (facts.uid !== uid) return `owned by user ${facts.uid}`;
  if ((facts.mode & 0o002) !== 0) return 'writable by everyone';
  return undefined;
}

function refused(socketPath: string, text: string): SocketPlace {
  return { state: 'failed', socketPath, failure: 'not-permitted', text };
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

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
