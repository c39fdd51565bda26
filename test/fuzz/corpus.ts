import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Read by path: what is bundled does not lie beside its fixtures. */
const TEST = resolve('test');

/** A recorded file of the tests, as its bytes. */
export function recorded(path: string): Buffer {
  return readFileSync(join(TEST, path));
}

/** All recorded files of a folder whose names end so. */
export function recordedIn(
  folder: string,
  ending: string,
): { readonly name: string; readonly bytes: Buffer }[] {
  return readdirSync(join(TEST, folder))
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => ({ name: name.slice(0, -ending.length), bytes: recorded(join(folder, name)) }));
}

/** The lines of a recorded file, each a sample of its own. */
export function recordedLines(path: string): Buffer[] {
  return recorded(path)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line));
}

/** Texts as samples. */
export function samples(...texts: readonly string[]): () => readonly Buffer[] {
  return () => texts.map((text) => Buffer.from(text));
}

/** Makes the samples once. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
