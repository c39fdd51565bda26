import { type BigIntStats, lstatSync, statSync } from 'node:fs';

/** Which file it is, and as of when: another one whenever it was written, replaced or given other rights. */
export function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** The mark of what has this name, be it a link; null where nothing has. Throws what else the file system says. */
export function markAt(path: string): string | null {
  const entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return entry === undefined ? null : markOf(entry);
}

/** What was made of files, by their paths. */
export interface FileCache<T> {
  /** Null where there is no file that could be looked at. */
  get(path: string): T | null;
}

/**
 * Keeps what was made of a file until the file changes. The mark is taken before the file is read: what was read may be
 * newer than its mark, and is then read once more, but never kept for too long. The oldest of too many goes first.
 */
export function createFileCache<T>(maxKept: number, read: (path: string) => T): FileCache<T> {
  const kept = new Map<string, { readonly mark: string; readonly value: T }>();
  return {
    get(path) {
      const mark = markBehind(path);
      if (mark === null) {
        kept.delete(path);
        return null;
      }
      const known = kept.get(path);
      if (known?.mark === mark) return known.value;
      const value = read(path);
      kept.delete(path);
      kept.set(path, { mark, value });
      const [oldest] = kept.keys();
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
      return value;
    },
  };
}

function markBehind(path: string): string | null {
  try {
    const entry = statSync(path, { bigint: true, throwIfNoEntry: false });
    return entry === undefined ? null : markOf(entry);
  } catch {
    return null;
  }
}
