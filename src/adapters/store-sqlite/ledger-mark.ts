import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WITNESS } from './witness.ts';

/** How the files of a ledger look from outside, without opening any of them. */
export interface LedgerMark {
  /** Another one whenever something was recorded; empty where there is no ledger. */
  readonly text: string;
  /** Old enough that nothing can change any more without another mark. */
  readonly isSettled: boolean;
}

/** Longer than the steps in which file systems count time: what is younger may change without looking changed. */
const RACY_MS = 100;

/** Marks the ledger of a folder as it is now. Throws what the file system says. */
export function ledgerMark(folder: string): LedgerMark {
  const files = readdirSync(folder)
    // SQLite maps this one into memory; its time says nothing.
    .filter((name) => (name.startsWith('ledger.') && !name.endsWith('-shm')) || name === WITNESS)
    .flatMap((name) => {
      const found = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
      return found === undefined ? [] : [{ name, ...found }];
    });
  return {
    // Not the ctime: SQLite changes that of its journal by reading.
    text: files.map(({ name, ino, size, mtimeNs }) => `${name} ${ino} ${size} ${mtimeNs}`).join(),
    isSettled: files.every(({ mtimeMs }) => Date.now() - Number(mtimeMs) >= RACY_MS),
  };
}
