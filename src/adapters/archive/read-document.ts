import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../core/ledger/json.ts';
import { ArchiveError } from './archive-error.ts';

/** A document describes one session; one of this size is something else. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads one document; follows no link, waits for no fifo, and throws why where it is not one. */
export function readDocument(path: string): JsonObject {
  const bytes = readBounded(path, MAX_BYTES);
  if (!isUtf8(bytes)) throw damaged(path, 'it is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw damaged(path, (error as Error).message);
  }
  if (!isObject(value)) throw damaged(path, 'it does not hold what it should');
  return value;
}

/** Reads one file; follows no link, waits for no fifo, and throws where it is another's or too much. */
export function readBounded(path: string, maxBytes: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const entry = fstatSync(file);
    if (!entry.isFile()) throw damaged(path, 'it is not a regular file');
    if (entry.uid !== (process.getuid?.() ?? entry.uid))
      throw damaged(path, `it belongs to user ${entry.uid}`);
    if (entry.size > maxBytes) throw damaged(path, `it has ${entry.size} bytes, more than ${maxBytes}`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function damaged(path: string, text: string): ArchiveError {
  return new ArchiveError(`${path}: ${text}`, 'the rest of the archive may still be of use');
}
