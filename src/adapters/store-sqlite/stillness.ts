import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Head } from '../../core/ledger/chain.ts';
import type { LedgerReading } from '../../ports/ledger.ts';

/** Longer than the steps in which file systems count time: what is younger may change without looking changed. */
const RACY_MS = 100;

/** Knows without opening anything that nothing came since the last reading, for whoever asks again and again. */
export function createStillness(folder: string): {
  /** Whether the files are those of a reading that ended with this entry. */
  isStill(after: Head): boolean;
  noting<Reading extends LedgerReading>(read: () => Reading): Reading;
} {
  let seen: { readonly mark: string; readonly hash: string } | null = null;
  return {
    isStill: ({ hash }) => seen !== null && seen.hash === hash && seen.mark === markOf(folder),
    noting(read) {
      const mark = markOf(folder);
      const reading = read();
      seen = mark === null || reading.damage !== null ? null : { mark, hash: reading.head.hash };
      return reading;
    },
  };
}

function markOf(folder: string): string | null {
  const files = readdirSync(folder)
    // SQLite maps this one into memory; its time says nothing.
    .filter((name) => name.startsWith('ledger.') && !name.endsWith('-shm'))
    .flatMap((name) => {
      const found = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
      return found === undefined ? [] : [{ name, ...found }];
    });
  const isRacy = files.some(({ mtimeMs }) => Date.now() - Number(mtimeMs) < RACY_MS);
  return isRacy
    ? null
    : files.map(({ name, ino, size, mtimeNs }) => `${name} ${ino} ${size} ${mtimeNs}`).join();
}
