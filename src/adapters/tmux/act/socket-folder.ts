import { mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { findSockets, inspectSocket, type Place } from '../find-sockets.ts';

/**
 * Prepares the place where a server may have to be started. tmux makes and checks its own socket folder only when it is
 * called by a label, so this does it the same way: somebody else's folder would hand the session to somebody else.
 */
export function openSocketFolder(path: string, uid: number): Place {
  const folder = dirname(path);
  if (basename(folder) === `tmux-${uid}`) {
    makeFolder(folder);
    const refused = findSockets(folder, uid).find(({ state }) => state === 'failed');
    if (refused !== undefined) return refused;
  }
  return inspectSocket(path, uid);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // There already; whatever else it is, tmux says when it binds its socket.
  }
}
