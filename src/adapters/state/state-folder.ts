import { closeSync, constants, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { visible } from '../../core/visible.ts';

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
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    // A link to nowhere and a file in the way end here as well, and the look below names them better.
    if (!isThere(path)) return refused(path, `it cannot be made: ${(error as Error).message}`, ELSEWHERE);
  }
  try {
    return checkParent(path, uid) ?? checkFolder(path, uid) ?? { state: 'ready', path };
  } catch (error) {
    return refused(path, `it cannot be opened: ${(error as Error).message}`, ELSEWHERE);
  }
}

const ELSEWHERE = 'point XDG_STATE_HOME to a folder of your own';

/** The XDG specification has relative paths ignored. */
function statePath(env: NodeJS.ProcessEnv): string | null {
  const { XDG_STATE_HOME: xdg = '', HOME: home = '' } = env;
  if (isAbsolute(xdg)) return join(xdg, 'rollcall');
  return isAbsolute(home) ? join(home, '.local/state/rollcall') : null;
}

/** Whoever may rename in the parent can put another folder in place of ours; also `sudo` with the caller's HOME ends here. */
function checkParent(path: string, uid: number): StateFolder | null {
  const parent = statSync(dirname(path));
  const isOpen = (parent.mode & 0o002) !== 0 && (parent.mode & constants.S_ISVTX) === 0;
  if ((parent.uid === uid || parent.uid === 0) && !isOpen) return null;
  return refused(path, `${dirname(path)} can be changed by other users`, ELSEWHERE);
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

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function refused(path: string, text: string, hint: string): StateFolder {
  return { state: 'refused', path, text: visible(`${path || 'state folder'}: ${text}`, 600), hint: visible(hint, 600) };
}
