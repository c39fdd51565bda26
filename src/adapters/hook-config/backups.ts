import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tryOr } from '../../core/try-or.ts';
import { labelOf, moveAside } from '../files/aside.ts';
import { writeNew } from '../files/new-user-file.ts';
import { removeQuietly } from '../files/replace-file.ts';

/** Where the files as they were are kept, and how many of each: the first, and the newest. */
export interface BackupPlace {
  readonly folder: string;
  readonly kept: number;
}

/** Exactly what `keepBackup` names them; whatever else begins alike is somebody's own. */
const FORM = /^(\d{8}T\d{6}Z)(?:-([2-9]|[1-9]\d{1,8}))?$/;
const KEPT_FORM = /^kept-\d+-[0-9a-f]+$/;
/** What earlier versions left beside the file: backups, what somebody wrote meanwhile, and files of killed calls. */
const BESIDE = /^(?:backup-\d{8}T\d{6}Z(?:-\d{1,9})?|kept-\d+-[0-9a-f]+|\d+-[0-9a-f]+\.tmp)$/;

/** Keeps a file that was taken out of its place, under a name that tells which it was. */
export function keepBackup({ folder, kept }: BackupPlace, path: string, taken: string, now: number): string {
  const backup = nextName(folder, path, now);
  moveAside(taken, backup);
  // The first is the file as it was before rollcall.
  for (const old of backupsOf(folder, path).slice(1, 1 - kept)) removeQuietly(old.path);
  return backup;
}

/** Keeps a text that may be nowhere else. Nothing of rollcall's ever removes it. */
export function keepText(folder: string, path: string, text: string): string {
  const kept = join(folder, `${labelOf(path)}.kept-${process.pid}-${process.hrtime.bigint().toString(16)}`);
  writeNew(kept, text, { mode: 0o600, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
  return kept;
}

/** What is kept of a file: as it was at each change, the first one first; and what somebody wrote while rollcall did. */
export function listBackups({ folder }: BackupPlace, path: string): { backups: string[]; kept: string[] } {
  const names = namesIn(folder, `${labelOf(path)}.`);
  const kept = names.flatMap((name) => (KEPT_FORM.test(name.mark) ? [name.path] : []));
  return { backups: backupsOf(folder, path).map((backup) => backup.path), kept };
}

/** Copies that an earlier version left beside the file. They are the user's to remove. */
export function backupsBeside(path: string): string[] {
  const copies = namesIn(dirname(path), `${basename(path)}.rollcall-`);
  return copies.flatMap((copy) => (BESIDE.test(copy.mark) ? [copy.path] : [])).sort();
}

function nextName(folder: string, path: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const last = backupsOf(folder, path).at(-1);
  // Behind all others, also where the clock was set back: the first has to stay the first.
  const isLater = last === undefined || stamp > last.stamp;
  const prefix = join(folder, `${labelOf(path)}.${isLater ? stamp : last.stamp}`);
  let count = isLater ? 1 : last.count + 1;
  const nameOf = () => (count === 1 ? prefix : `${prefix}-${count}`);
  while (lstatSync(nameOf(), { throwIfNoEntry: false }) !== undefined) count += 1;
  return nameOf();
}

/** In the order in which they were made. */
function backupsOf(folder: string, path: string): { path: string; stamp: string; count: number }[] {
  return namesIn(folder, `${labelOf(path)}.`)
    .flatMap((name) => {
      const [, stamp, count = '1'] = FORM.exec(name.mark) ?? [];
      return stamp === undefined ? [] : [{ path: name.path, stamp, count: Number(count) }];
    })
    .sort((one, other) =>
      one.stamp === other.stamp ? one.count - other.count : one.stamp < other.stamp ? -1 : 1,
    );
}

function namesIn(folder: string, prefix: string): { path: string; mark: string }[] {
  return tryOr([], () =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.startsWith(prefix))
      .map(({ name }) => ({ path: join(folder, name), mark: name.slice(prefix.length) })),
  );
}
