import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { type JsonFields, objectIn } from '../files/json-object.ts';
import { isRefusal, readAt, withOwnFile } from '../files/own-file.ts';
import { type EventHeader, readHeader } from './read-header.ts';

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

/** Reads an event that was listed. Bounded, whatever lies there. */
export function readEvent(folder: string, { name, modifiedNs }: ListedFile, uid: number): EventFile {
  try {
    const found = withOwnFile(join(folder, name), { uid }, ({ file, entry }): EventFile => {
      if (entry.mtimeNs !== modifiedNs) return { state: 'changed' };
      return eventIn(file, name, Number(entry.size), Number(entry.mtimeNs / 1_000_000n));
    });
    return found ?? { state: 'gone' };
  } catch (error) {
    return isRefusal(error) ? { state: 'foreign' } : { state: 'failed', text: (error as Error).message };
  }
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

interface ReadPayload {
  readonly payload: JsonFields | null;
  /** All of it was there and understood. */
  readonly isWhole: boolean;
}

/**
 * Reads the JSON object that an agent gave its hook. Of one that was cut off, the members before the cut are kept: an
 * event is worth having without the end of a huge tool result.
 */
export function readPayload(bytes: Buffer, isCut: boolean): ReadPayload {
  const text = bytes.toString('utf8');
  const whole = isCut ? null : objectIn(text);
  if (whole !== null) return { payload: whole, isWhole: isUtf8(bytes) };
  const end = lastMemberEnd(text);
  return { payload: end === null ? null : objectIn(`${text.slice(0, end)}}`), isWhole: false };
}

/** Where the last comma between two members of the outermost object is. */
function lastMemberEnd(text: string): number | null {
  let [depth, end] = [0, -1];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = stringEnd(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 1) end = at;
  }
  return end === -1 ? null : end;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
