import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type EventHeader, readHeader } from './read-header.ts';
import { type ReadPayload, readPayload } from './read-payload.ts';

/** One file of the spool, by what it holds. */
export type EventFile =
  | ({ readonly state: 'event'; readonly at: number } & EventHeader & ReadPayload)
  /** Whole, and not what a hook writes. */
  | { readonly state: 'garbage' }
  /** Without its end: its hook still writes, or has died. */
  | { readonly state: 'unfinished'; readonly of: UnfinishedOf }
  /** Since it was listed: its place in the order is another one. */
  | { readonly state: 'changed' }
  | { readonly state: 'gone' }
  /** Not a file of this user's. */
  | { readonly state: 'foreign' }
  | { readonly state: 'failed'; readonly text: string };

/** Whose a file without end is: a hook whose header is there, one that has not come to its header yet, or no hook at all. */
export type UnfinishedOf = EventHeader | 'somebody' | 'nobody';

export interface ListedFile {
  readonly name: string;
  readonly modifiedNs: bigint;
  readonly size: bigint;
}

const MAX_BYTES = 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads an event that was listed. Bounded, whatever lies there. */
export function readEvent(folder: string, { name, modifiedNs }: ListedFile, uid: number): EventFile {
  let file: number;
  try {
    file = openSync(join(folder, name), READ_ONLY);
  } catch (error) {
    return notOpened(error as NodeJS.ErrnoException);
  }
  try {
    const stat = fstatSync(file, { bigint: true });
    if (!stat.isFile() || stat.uid !== BigInt(uid)) return { state: 'foreign' };
    if (stat.mtimeNs !== modifiedNs) return { state: 'changed' };
    return eventIn(file, name, Number(stat.size), Number(stat.mtimeNs / 1_000_000n));
  } catch (error) {
    return { state: 'failed', text: (error as Error).message };
  } finally {
    closeSync(file);
  }
}

function notOpened({ code, message }: NodeJS.ErrnoException): EventFile {
  if (code === 'ENOENT') return { state: 'gone' };
  // A link, or a socket.
  return code === 'ELOOP' || code === 'ENXIO' ? { state: 'foreign' } : { state: 'failed', text: message };
}

function eventIn(file: number, name: string, size: number, at: number): EventFile {
  const end = Buffer.from(`\nend=${name}\n`);
  const isCut = size > MAX_BYTES;
  const bytes = readAt(file, Math.min(size, MAX_BYTES), 0);
  const tail = isCut ? readAt(file, end.length, size - end.length) : bytes.subarray(-end.length);
  const border = bytes.subarray(0, MAX_HEADER_BYTES).indexOf('\n\n');
  if (!tail.equals(end)) return { state: 'unfinished', of: unfinishedOf(bytes, border) };
  const header = border === -1 ? null : readHeader(bytes.toString('utf8', 0, border));
  if (header === null) return { state: 'garbage' };
  const payload = bytes.subarray(border + 2, isCut ? undefined : -end.length);
  return { state: 'event', at, ...header, ...readPayload(payload, isCut) };
}

const FIRST_LINE = Buffer.from('rollcall-hook=1\n');

function unfinishedOf(bytes: Buffer, border: number): UnfinishedOf {
  const known = bytes.subarray(0, FIRST_LINE.length);
  if (!FIRST_LINE.subarray(0, known.length).equals(known)) return 'nobody';
  return (border === -1 ? null : readHeader(bytes.toString('utf8', 0, border))) ?? 'somebody';
}

function readAt(file: number, length: number, position: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
