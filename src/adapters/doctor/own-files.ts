import { chmodSync, closeSync, fchmodSync, fstatSync, lstatSync, unlinkSync } from 'node:fs';
import { sep } from 'node:path';
import { visible } from '../../core/text/visible.ts';
import type { Mended, OwnFiles } from '../../ports/doctor.ts';
import { openPlain } from '../files/own-file.ts';
import { markOf } from './own-folder.ts';

const OTHERS = 0o077n;
const CHANGED: Mended = { state: 'changed', text: 'it is no longer what was found' };

/** Mends files below the state folder. Each is compared with what was found, at the last moment. */
export function createOwnFiles({ folder, uid }: { readonly folder: string; readonly uid: number }): OwnFiles {
  const isBelow = (path: string) =>
    (path === folder || path.startsWith(folder + sep)) && !path.split(sep).includes('..');
  return {
    mend({ path, what, mark }) {
      if (!isBelow(path)) return { state: 'failed', text: 'it is not in the state folder' };
      try {
        return what === 'remove' ? remove(path, mark, uid) : makePrivate(path, mark, uid);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        // Another kind of thing lies there now (ELOOP: a link), or none.
        return code === 'ENOENT' || code === 'ELOOP'
          ? CHANGED
          : { state: 'failed', text: visible(message, 300) };
      }
    },
  };
}

function remove(path: string, mark: string, uid: number): Mended {
  const entry = lstatSync(path, { bigint: true });
  if (!entry.isFile() || entry.uid !== BigInt(uid) || markOf(entry) !== mark) return CHANGED;
  unlinkSync(path);
  return { state: 'done' };
}

// Through a descriptor, so that what was compared is what is changed. A socket has none: its name is all there is.
function makePrivate(path: string, mark: string, uid: number): Mended {
  const before = lstatSync(path, { bigint: true });
  if (before.uid !== BigInt(uid) || markOf(before) !== mark) return CHANGED;
  const mode = Number(before.mode & 0o700n);
  if (before.isSocket()) {
    chmodSync(path, mode);
  } else {
    const file = openPlain(path);
    try {
      if (markOf(fstatSync(file, { bigint: true })) !== mark) return CHANGED;
      fchmodSync(file, mode);
    } finally {
      closeSync(file);
    }
  }
  const isPrivate = (lstatSync(path, { bigint: true }).mode & OTHERS) === 0n;
  return isPrivate ? { state: 'done' } : { state: 'failed', text: 'this file system keeps no rights' };
}
