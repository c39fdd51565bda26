import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeNew } from '../files/new-user-file.ts';
import type { UserFile } from '../files/user-file.ts';

/** So many of the last ones are kept, besides the first. */
const KEPT = 3;

/** Exactly what `backUp` names them; whatever else begins alike is somebody's own. */
const FORM = /^(\d{8}T\d{6}Z)(?:-([2-9]|[1-9]\d{1,8}))?$/;

interface Backup {
  readonly path: string;
  readonly stamp: string;
  readonly count: number;
}

/** Keeps a copy beside the file, under the name that its user knows. */
export function backUp(file: UserFile, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const last = backupsOf(file.path).at(-1);
  // Behind all others, also where the clock was set back: the first has to stay the first.
  const isLater = last === undefined || stamp > last.stamp;
  const prefix = prefixOf(file.path) + (isLater ? stamp : last.stamp);
  let count = isLater ? 1 : last.count + 1;
  const nameOf = () => (count === 1 ? prefix : `${prefix}-${count}`);
  while (lstatSync(nameOf(), { throwIfNoEntry: false }) !== undefined) count += 1;
  const path = nameOf();
  writeNew(path, file.text, file);
  return path;
}

/** Removes backups between the first, which is the file as it was before rollcall, and the last few. */
export function pruneBackups(path: string): void {
  for (const old of backupsOf(path).slice(1, -KEPT)) {
    try {
      unlinkSync(old.path);
    } catch {
      // It stays one more.
    }
  }
}

/** In the order in which they were made. */
function backupsOf(path: string): Backup[] {
  const prefix = basename(prefixOf(path));
  return readdirSync(dirname(path))
    .flatMap((name) => {
      const [, stamp, count = '1'] = name.startsWith(prefix)
        ? (FORM.exec(name.slice(prefix.length)) ?? [])
        : [];
      const backup = join(dirname(path), name);
      const isOne = stamp !== undefined && lstatSync(backup, { throwIfNoEntry: false })?.isFile();
      return isOne ? [{ path: backup, stamp, count: Number(count) }] : [];
    })
    .sort((one, other) =>
      one.stamp === other.stamp ? one.count - other.count : one.stamp < other.stamp ? -1 : 1,
    );
}

function prefixOf(path: string): string {
  return `${path}.rollcall-backup-`;
}
