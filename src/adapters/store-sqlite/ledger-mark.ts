import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WITNESS } from './witness.ts';

/** Longer than the steps in which file systems count time: what is younger may change without looking changed. */
const RACY_MS = 100;

/** How the files of a ledger look from outside now, without opening any of them. Throws what the file system says. */
export function ledgerMark(folder: string) {
  const files = readdirSync(folder)
    // SQLite maps this one into memory; its time says nothing.
    .filter((name) => (name.startsWith('ledger.') && !name.endsWith('-shm')) || name === WITNESS)
    .flatMap((name) => {
      const found = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
      return found === undefined ? [] : [{ name, ...found }];
    });
  return {
    // Another one whenever something was recorded; empty where there is no ledger. Not the ctime: SQLite changes that of its journal by reading.
    text: files.map(({ name, ino, size, mtimeNs }) => `${name} ${ino} ${size} ${mtimeNs}`).join(),
    /** Old enough that nothing can change any more without another mark. */
    isSettled: files.every(({ mtimeMs }) => Date.now() - Number(mtimeMs) >= RACY_MS),
  };
}
