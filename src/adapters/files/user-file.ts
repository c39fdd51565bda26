import {
  accessSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { succeeds, tryOr, unless } from '../../core/try-or.ts';
import type { HookProblem } from '../../ports/hook-config.ts';
import { type FileAttributes, readAttributes } from '../native/file-attributes.ts';
import { withFile } from './own-file.ts';

/** A file of the user's, with what a replacement of it has to keep. */
export interface UserFile {
  readonly state: 'read';
  readonly path: string;
  /** Behind links: what is really written. */
  readonly target: string;
  readonly isLink: boolean;
  readonly text: string;
  /** Which file it is, whatever its name. */
  readonly device: number;
  readonly inode: number;
  /** Its names in the file system; more than one means hard links. */
  readonly links: number;
  readonly modifiedAt: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Its access control list, and what else is attached to it; null where nobody can tell. */
  readonly attributes: FileAttributes | null;
}

export interface AbsentFile {
  readonly state: 'absent';
  readonly path: string;
}

export type ReadFile = UserFile | AbsentFile | { readonly state: 'wrong'; readonly problem: HookProblem };

// Settings are a few kilobytes; far more is not settings.
const MAX_BYTES = 4 * 1024 * 1024;

/** Reads a file of the user's through links, and refuses what cannot be edited safely. */
export function readUserFile(path: string): ReadFile {
  const wrong = (text: string, hint: string): ReadFile => ({
    state: 'wrong',
    problem: { file: path, line: null, text, hint },
  });
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return { state: 'absent', path };
    const target = targetOf(path);
    if (target === null)
      return wrong('it is a link to nothing', 'make the file that the link leads to, or remove the link');
    const { stats, bytes, attributes } = readTarget(target);
    if (bytes === null) return wrong('it is not a regular file', 'look at what it is');
    if (bytes.length > MAX_BYTES) return wrong('it is larger than 4 MiB', 'is this the right file?');
    // The byte order mark stays in the text, so that it is written back.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = tryOr(null, () => decoder.decode(bytes));
    if (text === null) return wrong('it is not UTF-8', 'save it as UTF-8, then try again');
    const { uid, gid, dev: device, ino: inode, nlink: links, mtimeMs: modifiedAt } = stats;
    return {
      state: 'read',
      path,
      target,
      isLink: entry.isSymbolicLink(),
      text,
      device,
      inode,
      links,
      modifiedAt,
      mode: stats.mode & 0o7777,
      uid,
      gid,
      attributes,
    };
  } catch (error) {
    return wrong(`it cannot be read: ${(error as Error).message}`, 'see to its permissions, then try again');
  }
}

/** Why a file could not be replaced or made; null when it could. Asked before anything is written. `ownNames` are rollcall's. */
export function objectionTo(file: UserFile | AbsentFile, ownNames = 0): HookProblem | null {
  const problem = (text: string, hint: string): HookProblem => ({ file: file.path, line: null, text, hint });
  // Root may write everywhere, but who takes the permission away means it.
  if (file.state === 'read' && (file.mode & 0o200) === 0) {
    return problem('it is read-only', `if rollcall may change it: chmod u+w '${file.target}'`);
  }
  // A replacement has one name: the others would keep the old text, and nobody would know.
  if (file.state === 'read' && file.links - ownNames > 1) {
    return problem(
      `it is one of ${file.links - ownNames} hard links, and rollcall would change only this one`,
      `to make it a file of its own: cp -p '${file.target}' '${file.target}.own' && mv '${file.target}.own' '${file.target}'`,
    );
  }
  const folder = nearestFolder(dirname(file.state === 'read' ? file.target : file.path));
  const isFolder = tryOr(null, () => statSync(folder).isDirectory());
  if (isFolder === false) return problem(`${folder} is not a folder`, 'look at what it is');
  if (isFolder && succeeds(() => accessSync(folder, constants.W_OK | constants.X_OK))) return null;
  return problem(`the folder ${folder} cannot be written to`, 'see to its permissions, then try again');
}

/** Where a path leads once every link in it is followed; what is not there yet is taken as it is written. */
export function resolvedPath(path: string): string {
  const real = targetOf(path);
  return real ?? (dirname(path) === path ? path : join(resolvedPath(dirname(path)), basename(path)));
}

/** Folders above a file that do not exist yet, the outermost first. */
export function missingFolders(path: string): string[] {
  const folder = dirname(path);
  if (folder === path || lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return [];
  return [...missingFolders(folder), folder];
}

function nearestFolder(folder: string): string {
  return missingFolders(`${folder}/x`)[0] === undefined ? folder : nearestFolder(dirname(folder));
}

function targetOf(path: string): string | null {
  return unless('ENOENT', null, () => realpathSync(path));
}

// Non-blocking: a pipe in its place must not be waited for.
function readTarget(path: string) {
  return withFile(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), (file) => {
    const stats = fstatSync(file);
    const isTooLarge = stats.size > MAX_BYTES;
    if (!stats.isFile()) return { stats, bytes: null, attributes: null };
    const bytes = isTooLarge ? Buffer.alloc(MAX_BYTES + 1) : readFileSync(file);
    return { stats, bytes, attributes: readAttributes(file) };
  });
}
