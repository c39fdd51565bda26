import { lstatSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { visible } from '../../core/text/visible.ts';
import { makeFolderIfMissing, objectionToFolder } from '../files/own-folder.ts';

/** A folder that only this user can read and write, or why there is none. */
export type StateFolder =
  | { readonly state: 'ready'; readonly path: string }
  | { readonly state: 'refused'; readonly path: string; readonly text: string; readonly hint: string };

/**
 * Opens `$XDG_STATE_HOME/rollcall`, or `~/.local/state/rollcall`, and makes it when it is missing. What lies in it is
 * believed later, so a folder that somebody else made, owns or can reach is refused; an own one is closed to others.
 */
export function openStateFolder({ env, uid }: { env: NodeJS.ProcessEnv; uid: number }): StateFolder {
  const path = statePath(env);
  if (path === null) {
    return refused('', 'there is no home folder', 'set HOME or XDG_STATE_HOME to an absolute path');
  }
  try {
    const missing = missingFolders(path);
    const refusal = checkAbove(path, dirname(missing[0] ?? path), uid);
    if (refusal !== null) return refusal;
    // One at a time: Node 20's recursive mkdir calls every failure ENOENT, also a read-only file system.
    for (const folder of missing) makeFolderIfMissing(folder);
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
  const objection = objectionToFolder(path, { uid, isTightened: true });
  if (objection === null) return null;
  const isMode = objection.fault === 'mode';
  const remedy = isMode ? `run: chmod 700 ${path}` : `look at it, then move it away: mv ${path} ${path}.old`;
  return refused(path, objection.text, remedy);
}

function refused(path: string, text: string, hint: string): StateFolder {
  return {
    state: 'refused',
    path,
    text: visible(`${path || 'state folder'}: ${text}`, 600),
    hint: visible(hint, 600),
  };
}
