import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { tryOr } from '../../core/try-or.ts';
import { createKeep } from './keep.ts';

/** Which file it is, and as of when: another one whenever it was written, replaced or given other rights. */
export function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** The mark of what has this name, be it a link; null where nothing has. Throws what else the file system says. */
export function markAt(path: string): string | null {
  const entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return entry === undefined ? null : markOf(entry);
}

/**
 * Keeps what was made of each file until the file changes; null if it cannot be looked at. The mark is taken before the
 * file is read: if the file changes in between, it is read once more, never kept too long.
 */
export function createFileCache<T>(maxKept: number, read: (path: string) => T): (path: string) => T | null {
  const kept = createKeep<{ readonly mark: string; readonly value: T }>(maxKept);
  return (path) => {
    const entry = tryOr(undefined, () => statSync(path, { bigint: true, throwIfNoEntry: false }));
    if (entry === undefined) return null;
    const mark = markOf(entry);
    const known = kept.get(path);
    return (known?.mark === mark ? known : kept.set(path, { mark, value: read(path) })).value;
  };
}
