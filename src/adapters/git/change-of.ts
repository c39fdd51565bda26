import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { isAbsence } from './small-file.ts';

/** When a file was last changed, by the kernel's own note, which nobody can set back; 0 where there is none. */
export async function changeOf(path: string): Promise<number> {
  return ctimeOf(await entryAt(path));
}

/** What is there, itself and not what it links to; null where nothing is. */
export async function entryAt(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/** Its change time, epoch ms; 0 where nothing is. */
export function ctimeOf(entry: Stats | null): number {
  return entry === null ? 0 : Math.ceil(entry.ctimeMs);
}

const HOUR_MS = 3_600_000;

/** For what cannot be told: the end of this hour, so that one look after the other says the same. */
export function justNow(now: number): number {
  return Math.ceil(now / HOUR_MS) * HOUR_MS;
}
