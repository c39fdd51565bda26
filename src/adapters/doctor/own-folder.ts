import {
  type BigIntStats,
  chmodSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  readdirSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { FolderSighting, OwnFileSighting } from '../../core/doctor/sightings.ts';
import { visible } from '../../core/text/visible.ts';
import { tryOr } from '../../core/try-or.ts';
import type { Mended, OwnFiles } from '../../ports/doctor.ts';
import { openPlain, withFile } from '../files/own-file.ts';

/** More of them than one run should look at; archives are many, and each is looked at once. */
const MAX_ENTRIES = 20_000;

/** Everything below a folder of rollcall's, the folder itself first. Follows no link, and opens none of the `closed`. */
export function readOwnFolder(
  path: string,
  uid: number,
  { closed = [], depth = 4 }: { readonly closed?: readonly string[]; readonly depth?: number } = {},
): FolderSighting {
  const entries: OwnFileSighting[] = [];
  let isCut = false;
  const visit = (at: string, left: number): void => {
    const entry = sightingAt(at, uid);
    if (entry === null) return;
    if (entries.length >= MAX_ENTRIES) {
      isCut = true;
      return;
    }
    entries.push(entry);
    if (entry.kind !== 'folder' || !entry.isOwn || left === 0 || closed.includes(at)) return;
    for (const name of readdirSync(at)) visit(join(at, name), left - 1);
  };
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { state: 'absent', path };
    visit(path, depth);
    return { state: 'read', path, entries, isCut };
  } catch (error) {
    const text = visible((error as Error).message, 300);
    return { state: 'refused', path, text, hint: `look at ${visible(path, 200)}` };
  }
}

/** One entry as it is now; null where there is none. */
export function sightingAt(path: string, uid: number): OwnFileSighting | null {
  const entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (entry === undefined) return null;
  return {
    path,
    kind: kindOf(entry),
    mode: Number(entry.mode & 0o777n),
    isOwn: entry.uid === BigInt(uid),
    modifiedAt: Number(entry.mtimeMs),
    sizeBytes: Number(entry.size),
    mark: markOf(entry),
  };
}

/** Tells a file from another one in its place, and from itself once it was written to. */
function markOf({ dev, ino, mtimeNs, size, mode }: BigIntStats): string {
  // The size of a folder, and when it was changed, says nothing about which folder it is.
  const isFolder = (mode & 0o170000n) === 0o040000n;
  return [dev, ino, ...(isFolder ? [] : [mtimeNs, size])].join('.');
}

function kindOf(entry: BigIntStats): OwnFileSighting['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSocket() ? 'socket' : 'other';
}

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
    const isSame = withFile(openPlain(path), (file) => {
      if (markOf(fstatSync(file, { bigint: true })) !== mark) return false;
      fchmodSync(file, mode);
      return true;
    });
    if (!isSame) return CHANGED;
  }
  const isPrivate = (lstatSync(path, { bigint: true }).mode & OTHERS) === 0n;
  return isPrivate ? { state: 'done' } : { state: 'failed', text: 'this file system keeps no rights' };
}

/** What the kernel adds to the working directory of a process once that was removed. */
const DELETED = ' (deleted)';

/**
 * Whether something is gone for certain. If the folder above is missing too, its disk may just not be mounted, unless
 * the kernel says that the folder was removed.
 */
export function isGone(path: string): boolean {
  // What may not be looked at is not known to be gone.
  return tryOr(false, () => {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
    return path.endsWith(DELETED) || statSync(dirname(path), { throwIfNoEntry: false }) !== undefined;
  });
}
