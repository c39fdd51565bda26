import { linkSync } from 'node:fs';
import { join } from 'node:path';
import type { Head } from '../../core/ledger/chain.ts';
import { unless } from '../../core/try-or.ts';
import { sha256 } from '../files/digest.ts';
import { objectIn } from '../files/json-object.ts';
import { isRefusal, readOwnFile } from '../files/own-file.ts';
import {
  removeQuietly,
  replaceFile,
  syncFolder,
  temporaryBeside,
  writeNewFile,
} from '../files/replace-file.ts';

/** Which database is in use, and an entry that it holds at least up to. */
export interface Anchor extends Head {
  readonly file: string;
}

export type AnchorRead =
  | { readonly state: 'read'; readonly anchor: Anchor }
  | { readonly state: 'absent' }
  | { readonly state: 'unreadable'; readonly text: string };

export const ANCHOR = 'ledger.head';

/** Names of databases: the first, and those that repairs began. */
export const DATABASE_NAME = /^ledger(?:\.([1-9]\d{0,8}))?\.db$/;

const MAX_BYTES = 4096;

/** Reads the anchor: a small file beside the database, so that a database that lost its end does not look whole. */
export function readAnchor(folder: string): AnchorRead {
  const path = join(folder, ANCHOR);
  try {
    const found = readOwnFile(path, { uid: null, maxBytes: MAX_BYTES });
    if (found === null) return { state: 'absent' };
    const anchor = anchorIn(found.bytes.toString('utf8'));
    return anchor === null ? unreadable('its content is not as expected') : { state: 'read', anchor };
  } catch (error) {
    return unreadable(isRefusal(error) ? 'it is not a small regular file' : (error as Error).message);
  }
}

/** Puts the first anchor in place, unless there is one already. */
export function createAnchor(folder: string, anchor: Anchor): void {
  const path = join(folder, ANCHOR);
  // Others may be doing the same.
  const temporary = temporaryBeside(path);
  writeNewFile(temporary, textOf(anchor));
  try {
    unless('EEXIST', null, () => linkSync(temporary, path));
  } finally {
    removeQuietly(temporary);
  }
  syncFolder(folder);
}

/**
 * Replaces the anchor: a reader and a crash find the old one or the new one, whole. Only for whoever holds the lock of
 * the database, so that of two anchors the later one stays.
 */
export function replaceAnchor(folder: string, anchor: Anchor): void {
  replaceFile(join(folder, ANCHOR), textOf(anchor), { sync: 'file' });
  syncFolder(folder);
}

/** An anchor as it is written, under a hash of all of it: without that a changed digit would be a lost entry. */
export function textOf({ file, sequence, hash }: Anchor): string {
  return `${JSON.stringify({ file, sequence, hash, sha256: sha256(`${file} ${sequence} ${hash}`) })}\n`;
}

/** The anchor that a text with its hash says; null for any other text. */
export function sealedAnchorIn(text: string): Anchor | null {
  const found = plainAnchor(objectIn(text) ?? {});
  return found !== null && textOf(found) === text ? found : null;
}

/** The anchor that a text says. Before 0.2 it had no hash of its own. */
function anchorIn(text: string): Anchor | null {
  const { sha256: seal, ...anchor } = objectIn(text) ?? {};
  const found = plainAnchor(anchor);
  return found === null || seal === undefined || textOf(found) === text ? found : null;
}

function plainAnchor({ file, sequence, hash }: Readonly<Record<string, unknown>>): Anchor | null {
  if (typeof file !== 'string' || !DATABASE_NAME.test(file)) return null;
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 0) return null;
  return typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash) ? { file, sequence, hash } : null;
}

function unreadable(text: string): AnchorRead {
  return { state: 'unreadable', text };
}
