import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { ServerFailure } from '../../core/sight/sighting.ts';
import { isSocketPath, realSocketPath, socketPathInTmux } from './socket-path.ts';

/** A place where a server may listen, before anyone asked it. */
export type Place =
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
export function findSockets(folder: string, uid: number): Place[] {
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
export function inspectSocket(path: string, uid: number): Place {
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

function refused(socketPath: string, text: string): Place {
  return { state: 'failed', socketPath, failure: 'not-permitted', text };
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
