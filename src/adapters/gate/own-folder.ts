import { lstatSync } from 'node:fs';
import { objectionToEntry } from '../files/own-folder.ts';

/** Why a folder cannot be believed; null where it can, or where there is none. */
export function objectionTo(folder: string, uid: number): string | null {
  const entry = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
  const objection = entry && objectionToEntry(entry, uid);
  return objection ? `${folder}: ${objection.text}` : null;
}
