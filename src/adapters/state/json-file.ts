import { isUtf8 } from 'node:buffer';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../core/text/visible.ts';
import { keepAside, readOwnFile } from './own-file.ts';
import { removeLeftovers, replaceFile } from './replace-file.ts';

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
export function createJsonFile<T>({ folder, name, maxBytes, isValid }: JsonFileOptions<T>): JsonFile<T> {
  let known = '';
  return {
    load() {
      known = markOf(join(folder, name));
      const file = readOwnFile(folder, name, maxBytes);
      if (file.state === 'absent') return { state: 'empty' };
      const parsed = file.state === 'read' ? parse(file.bytes, isValid) : file;
      if (parsed.state === 'parsed') return { state: 'loaded', value: parsed.value };
      const where = file.inode === undefined ? 'left where it is' : keepAside(folder, name, file.inode);
      return { state: 'damaged', text: visible(`${join(folder, name)}: ${parsed.text}; ${where}`, 600) };
    },
    save(value) {
      const text = JSON.stringify(value);
      const bytes = Buffer.byteLength(text);
      // What load() would refuse must not take the place of what it accepts.
      if (bytes > maxBytes) return failed(folder, name, `${bytes} bytes are more than ${maxBytes}`);
      try {
        removeLeftovers(folder, name);
        replaceFile(folder, name, text);
        known = markOf(join(folder, name));
        return { state: 'saved' };
      } catch (error) {
        return failed(folder, name, (error as Error).message);
      }
    },
    isChanged: () => markOf(join(folder, name)) !== known,
  };
}

// Whoever writes it puts a new file in its place.
function markOf(path: string): string {
  const { ino, mtimeMs, size } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
  return `${ino} ${mtimeMs} ${size}`;
}

function parse<T>(bytes: Buffer, isValid: (value: unknown) => value is T) {
  if (!isUtf8(bytes)) return { state: 'refused', text: 'it is not UTF-8' } as const;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (isValid(value)) return { state: 'parsed', value } as const;
    return { state: 'refused', text: 'it does not hold what it should' } as const;
  } catch (error) {
    // Also a value so deeply nested that looking through it overflows the stack.
    return { state: 'refused', text: (error as Error).message } as const;
  }
}

function failed(folder: string, name: string, text: string): Saved {
  return { state: 'failed', text: visible(`${join(folder, name)} was not saved: ${text}`, 600) };
}
