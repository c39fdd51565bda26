import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { digestOf, labelOf } from './aside.ts';
import { namesIn } from './look.ts';
import { resolvedPath } from './user-file.ts';

/** A file that a killed call left under a name of rollcall's. */
export interface Leftover {
  readonly path: string;
  /** Rollcall's own text, or one more name of a file that has another: nothing is lost with it. */
  readonly isOwn: boolean;
  readonly device: number;
  readonly inode: number;
}

const FORM = /^new-(\d+)-[0-9a-f]+-([0-9a-f]{16})(?:\.old)?$/;
/** No call takes as long; a number of a process may be another's by then. */
const LONGEST_CALL_MS = 10 * 60_000;

/** What calls that have ended left of a file, in rollcall's own folder and beside the file. */
export function leftoversOf(path: string, folder: string): Leftover[] {
  const own = namesWith(`${labelOf(path)}.`, folder);
  const folders = new Set([dirname(path), dirname(resolvedPath(path))]);
  const beside = [...folders].flatMap((each) => namesWith(`.${basename(path)}.rollcall-`, each));
  return [...own, ...beside].flatMap(({ name, mark }) => leftover(name, mark) ?? []);
}

function leftover(path: string, mark: string): Leftover | null {
  const [, pid, digest] = FORM.exec(mark) ?? [];
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (pid === undefined || !entry?.isFile() || !isOwnFile(entry.uid)) return null;
  const isAtWork = existsSync(`/proc/${pid}`) && Date.now() - entry.ctimeMs < LONGEST_CALL_MS;
  if (isAtWork) return null;
  const isOwn = entry.nlink > 1 || digestOf(readFileSync(path)) === digest;
  return { path, isOwn, device: entry.dev, inode: entry.ino };
}

// Root changes the files of others, and leaves them theirs.
function isOwnFile(uid: number): boolean {
  const own = process.getuid?.() ?? uid;
  return own === uid || own === 0;
}

function namesWith(prefix: string, folder: string): { name: string; mark: string }[] {
  const names = namesIn(folder).filter((name) => name.startsWith(prefix));
  return names.map((name) => ({ name: join(folder, name), mark: name.slice(prefix.length) }));
}
