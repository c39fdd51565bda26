import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { unless } from '../../core/try-or.ts';

export type OwnFileFault = 'link' | 'kind' | 'owner' | 'size' | 'unsteady';

/** What a file has to be, beside a regular one. */
export interface OwnFileTerms {
  /** Whose it has to be: this process's user unless told; null for anyone's. */
  readonly uid?: number | null;
  readonly maxBytes?: number;
  readonly refuse?: (path: string, text: string, fault: OwnFileFault) => Error;
}

/** The file is at fault, and not the system. */
export class OwnFileRefused extends Error {
  /** Without the path. */
  readonly text: string;

  constructor(path: string, text: string) {
    super(`${path}: ${text}`);
    this.text = text;
  }
}

/** Whether the file is at fault: it was refused, or is a link or a socket, which are not even opened. */
export function isRefusal(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof OwnFileRefused || code === 'ELOOP' || code === 'ENXIO';
}

export interface OpenFile {
  readonly file: number;
  readonly entry: BigIntStats;
}

/** Reads a small text of this user's own; null where there is none. Throws what it refuses, and what the file system says. */
export function readOwnText(path: string, maxBytes: number): string | null {
  return readOwnFile(path, { maxBytes })?.bytes.toString('utf8') ?? null;
}

/** Reads a file whole; null where there is none. */
export function readOwnFile(
  path: string,
  terms: OwnFileTerms & { readonly maxBytes: number },
): { readonly bytes: Buffer; readonly entry: BigIntStats } | null {
  return withOwnFile(path, terms, ({ file, entry }) => ({
    bytes: readAt(file, Number(entry.size), 0),
    entry,
  }));
}

/** Opens a file for reading, and closes it after the work; null where there is none. */
export function withOwnFile<T>(path: string, terms: OwnFileTerms, work: (open: OpenFile) => T): T | null {
  const open = unless('ENOENT', null, () => openOwnFile(path, constants.O_RDONLY, terms));
  return open && withFile(open.file, () => work(open));
}

/** Does something with an open file, and closes it. */
export function withFile<T>(file: number, work: (file: number) => T): T {
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/** Opens a file and looks at what was opened: a name may stand for another file by then. */
export function openOwnFile(path: string, flags: number, terms: OwnFileTerms = {}): OpenFile {
  const file = openPlain(path, flags);
  try {
    const entry = fstatSync(file, { bigint: true });
    const objection = objectionTo(entry, terms);
    if (objection !== null) throw refusal(path, objection, terms);
    return { file, entry };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Opens a file without looking at it. Follows no link, waits for no fifo, and makes what it makes for this user alone. */
export function openPlain(path: string, flags: number = constants.O_RDONLY): number {
  return openSync(path, flags | PLAIN, 0o600);
}

/** Follow no link, and wait for no fifo. */
export const PLAIN = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What speaks against a file; null where nothing does. */
export function objectionTo(
  entry: BigIntStats,
  { uid = process.getuid?.() ?? null, maxBytes = Number.POSITIVE_INFINITY }: OwnFileTerms,
): { readonly text: string; readonly fault: OwnFileFault } | null {
  if (entry.isSymbolicLink()) return { text: 'it is a symbolic link', fault: 'link' };
  if (!entry.isFile()) return { text: 'it is not a regular file', fault: 'kind' };
  if (uid !== null && entry.uid !== BigInt(uid)) {
    return { text: `it belongs to user ${entry.uid}`, fault: 'owner' };
  }
  if (entry.size <= maxBytes) return null;
  return { text: `it has ${entry.size} bytes, more than ${maxBytes}`, fault: 'size' };
}

export function refusal(
  path: string,
  { text, fault }: { readonly text: string; readonly fault: OwnFileFault },
  { refuse }: OwnFileTerms,
): Error {
  return refuse?.(path, text, fault) ?? new OwnFileRefused(path, text);
}

/** Reads so many bytes from a place in an open file; fewer where it ends before. */
export function readAt(file: number, length: number, position: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
