import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_INDEX_BYTES, parseIndex } from '../../../core/conversation/copy-index.ts';
import { tryOr } from '../../../core/try-or.ts';
import { sha256 } from '../../files/digest.ts';
import { readBounded } from '../read-document.ts';

/** The file in the folder of a copy that says what the others are. */
export const INDEX = 'index.json';

/** The name of a copy: one name in one folder, and none of those that are under way. */
export const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** What a copy holds, and the digest of its index; null where there is no whole one of that name. */
export function indexOf(folder: string, name: string) {
  return tryOr(null, () => {
    const bytes = readBounded(join(folder, name, INDEX), MAX_INDEX_BYTES);
    const index = parseIndex(bytes.toString('utf8'));
    return NAME.test(name) && index !== null ? { index, digest: sha256(bytes) } : null;
  });
}

/** The names of all copies. */
export function namesIn(folder: string): string[] {
  return tryOr([], () => {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((one) => (one.isDirectory() && NAME.test(one.name) ? [one.name] : []));
  });
}

/** What a copy takes on the disk. */
export function bytesIn(path: string): number {
  return tryOr(0, () => {
    const names = readdirSync(path);
    return names.reduce((sum, name) => sum + lstatSync(join(path, name)).size, 0);
  });
}
