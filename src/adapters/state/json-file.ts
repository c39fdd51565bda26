import { isUtf8 } from 'node:buffer';
import { type BigIntStats, lstatSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../core/text/visible.ts';
import { markAt } from '../files/file-mark.ts';
import { objectionTo, readOwnFile } from '../files/own-file.ts';
import { replaceFile } from '../files/replace-file.ts';

export type Loaded<T> =
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'empty' }
  | { readonly state: 'damaged'; readonly text: string };

export type Saved = { readonly state: 'saved' } | { readonly state: 'failed'; readonly text: string };

export interface JsonFile<T> {
  /** What is damaged is kept beside it as `<name>.damaged`, the newest only, and `empty` from then on. */
  load(): Loaded<T>;
  save(value: T): Saved;
  /** Whether somebody else has written it since it was loaded or saved here. */
  isChanged(): boolean;
}

export interface JsonFileOptions<T> {
  /** A folder that `openStateFolder` found ready. */
  readonly folder: string;
  readonly name: string;
  readonly maxBytes: number;
  readonly isValid: (value: unknown) => value is T;
}

/**
 * One value in one file. Synchronous: it stands on the way of every command, and a small file is read faster than a
 * promise is kept. Readers see the old value or the new one, whole; of several writers the last wins.
 */
export function createJsonFile<T>(options: JsonFileOptions<T>): JsonFile<T> {
  const { folder, name, maxBytes } = options;
  const path = join(folder, name);
  let known: string | null = '';
  return {
    load() {
      known = markAt(path);
      const found = read(options);
      if (found.state !== 'refused') return found;
      const where = found.inode === undefined ? 'left where it is' : keepAside(folder, name, found.inode);
      return { state: 'damaged', text: visible(`${path}: ${found.text}; ${where}`, 600) };
    },
    save(value) {
      const text = JSON.stringify(value);
      const bytes = Buffer.byteLength(text);
      // What load() would refuse must not take the place of what it accepts.
      if (bytes > maxBytes) return failed(folder, name, `${bytes} bytes are more than ${maxBytes}`);
      try {
        // Without fsync, which costs milliseconds on every command: after a power cut the file may be old or empty, an
        // empty one is found damaged, and all that is lost is memory that is safe to lose.
        replaceFile(path, text, { sync: 'nothing' });
        known = markAt(path);
        return { state: 'saved' };
      } catch (error) {
        return failed(folder, name, (error as Error).message);
      }
    },
    // Whoever writes it puts a new file in its place.
    isChanged: () => markAt(path) !== known,
  };
}

interface Refused {
  readonly state: 'refused';
  readonly text: string;
  /** None where the system was at fault (no descriptors, a failing disk), not the file. */
  readonly inode?: bigint;
}

/** Reads a file that belongs to the owner of its folder. */
function read<T>({ folder, name, maxBytes, isValid }: JsonFileOptions<T>): Loaded<T> | Refused {
  const path = join(folder, name);
  let entry: BigIntStats | undefined;
  try {
    entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (entry === undefined) return { state: 'empty' };
    const terms = { uid: statSync(folder).uid, maxBytes };
    const objection = objectionTo(entry, terms);
    if (objection !== null) return { state: 'refused', text: objection.text, inode: entry.ino };
    const found = readOwnFile(path, terms);
    return found === null ? { state: 'empty' } : parse(found.bytes, found.entry.ino, isValid);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const inode = code === 'EACCES' ? entry?.ino : undefined;
    return { state: 'refused', text: message, ...(inode !== undefined && { inode }) };
  }
}

function parse<T>(
  bytes: Buffer,
  inode: bigint,
  isValid: (value: unknown) => value is T,
): Loaded<T> | Refused {
  if (!isUtf8(bytes)) return { state: 'refused', text: 'it is not UTF-8', inode };
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (isValid(value)) return { state: 'loaded', value };
    return { state: 'refused', text: 'its content is not as expected', inode };
  } catch (error) {
    // Also a value so deeply nested that looking through it overflows the stack.
    return { state: 'refused', text: (error as Error).message, inode };
  }
}

/** Moves it to `<name>.damaged`, unless somebody has put another one there since: that one may be good. */
function keepAside(folder: string, name: string, inode: bigint): string {
  const path = join(folder, name);
  try {
    if (lstatSync(path, { bigint: true }).ino !== inode) return 'replaced meanwhile';
    renameSync(path, `${path}.damaged`);
    return `kept as ${name}.damaged`;
  } catch (error) {
    return `left where it is (${(error as Error).message})`;
  }
}

function failed(folder: string, name: string, text: string): Saved {
  return { state: 'failed', text: visible(`${join(folder, name)} was not saved: ${text}`, 600) };
}

export interface RecollectionFileOptions<T> {
  readonly folder: string;
  readonly isValid: (value: unknown) => value is T;
  /** For one of several machines that share the folder, by its word. */
  readonly machine?: string | undefined;
}

/** About 1 KiB for each of some thousand panes, and room to spare. */
const MAX_BYTES = 8 * 1024 * 1024;

/** What one-shot commands remember of earlier observations. Losing it costs a confirm window, never a wrong proof. */
export function createRecollectionFile<T>({
  folder,
  isValid,
  machine,
}: RecollectionFileOptions<T>): JsonFile<T> {
  const name = machine === undefined ? 'recollection.json' : `recollection-${machine}.json`;
  return createJsonFile({ folder, name, maxBytes: MAX_BYTES, isValid });
}
