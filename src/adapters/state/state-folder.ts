import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { visible } from '../../core/text/visible.ts';

/** A folder that only this user can read and write, or why there is none. */
export type StateFolder =
  | { readonly state: 'ready'; readonly path: string }
  | { readonly state: 'refused'; readonly path: string; readonly text: string; readonly hint: string };

export interface StateFolderOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly uid: number;
}

/**
 * Opens `$XDG_STATE_HOME/rollcall`, or `~/.local/state/rollcall`, and makes it when it is missing. What lies in it is
 * believed later, so a folder that somebody else made, owns or can reach is refused; an own one is closed to others.
 */
export function openStateFolder({ env, uid }: StateFolderOptions): StateFolder {
  const path = statePath(env);
  if (path === null) {
    return refused('', 'there is no home folder', 'set HOME or XDG_STATE_HOME to an absolute path');
  }
  try {
    const missing = missingFolders(path);
    const refusal = checkAbove(path, dirname(missing[0] ?? path), uid);
    if (refusal !== null) return refusal;
    for (const folder of missing) make(folder);
    return checkFolder(path, uid) ?? { state: 'ready', path };
  } catch (error) {
    return refused(path, (error as Error).message, ELSEWHERE);
  }
}

/** Lets everyone make files but only the owner rename them, as in /tmp. */
const STICKY = 0o1000;
const ELSEWHERE = 'point XDG_STATE_HOME to a folder of your own';

/** The XDG specification has relative paths ignored. */
function statePath(env: NodeJS.ProcessEnv): string | null {
  const { XDG_STATE_HOME: xdg = '', HOME: home = '' } = env;
  if (isAbsolute(xdg)) return join(xdg, 'rollcall');
  return isAbsolute(home) ? join(home, '.local/state/rollcall') : null;
}

/** From the highest down. */
function missingFolders(path: string): string[] {
  if (path === dirname(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined) return [];
  return [...missingFolders(dirname(path)), path];
}

/** One at a time: Node 20's recursive mkdir calls every failure ENOENT, also a read-only file system. */
function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Whoever may rename in the folder above can put another one in place of ours. Looked at before anything is made: `sudo`
 * that kept the caller's HOME would leave folders of root there, which the caller could never use again.
 */
function checkAbove(path: string, above: string, uid: number): StateFolder | null {
  const { mode, uid: owner } = statSync(above);
  if (owner !== uid && owner !== 0) return refused(path, `${above} belongs to user ${owner}`, ELSEWHERE);
  const isOpenToAll = (mode & 0o002) !== 0 && (mode & STICKY) === 0;
  return isOpenToAll ? refused(path, `every user can change ${above}`, ELSEWHERE) : null;
}

function checkFolder(path: string, uid: number): StateFolder | null {
  const remedy = `look at it, then move it away: mv ${path} ${path}.old`;
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return refused(path, 'it is a symbolic link', remedy);
  if (!entry.isDirectory()) return refused(path, 'it is not a folder', remedy);
  // From here on through a descriptor: what the name stands for may change between two looks.
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const owner = fstatSync(folder).uid;
    if (owner !== uid) return refused(path, `it belongs to user ${owner}, not to ${uid}`, remedy);
    if (isPrivate(folder)) return null;
    tighten(folder);
    return isPrivate(folder) ? null : refused(path, 'other users can reach it', `run: chmod 700 ${path}`);
  } finally {
    closeSync(folder);
  }
}

function isPrivate(folder: number): boolean {
  return (fstatSync(folder).mode & 0o077) === 0;
}

/** Some file systems refuse this and some only pretend, so the caller looks at the result. */
function tighten(folder: number): void {
  try {
    fchmodSync(folder, 0o700);
  } catch {
    // Seen by the caller.
  }
}

function refused(path: string, text: string, hint: string): StateFolder {
  return {
    state: 'refused',
    path,
    text: visible(`${path || 'state folder'}: ${text}`, 600),
    hint: visible(hint, 600),
  };
}
