import { readEnd } from './read-file.ts';

/** What was found of the last call that a search was for. */
export type LastCall<T> =
  | { readonly state: 'found'; readonly value: T }
  /** All of the file was searched, and there is none. */
  | { readonly state: 'none' }
  | { readonly state: 'unknown'; readonly text: string };

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Searches the lines of a transcript for the last one that holds one of the words and that `read` understands; of a
 * transcript without end, its last 64 MiB. Half a line that holds one of them is being written: then nothing is known.
 */
export function lastCall<T>(
  path: string,
  words: readonly string[],
  read: (line: string) => T | null,
): LastCall<T> {
  const file = readEnd(path, MAX_BYTES);
  if (file.state === 'absent') return { state: 'unknown', text: 'its transcript is not there' };
  if (file.state === 'failed') return { state: 'unknown', text: file.text };
  const { text, isCut } = file;
  let end = text.length;
  // Where each word was found last: one that is not there is looked for once, and not before every line.
  const places = new Map(words.map((word) => [word, text.lastIndexOf(word)]));
  while (end > 0) {
    for (const [word, place] of places) {
      if (place >= end) places.set(word, text.lastIndexOf(word, end - 1));
    }
    const at = Math.max(...places.values());
    if (at === -1) break;
    const start = text.lastIndexOf('\n', at) + 1;
    const stop = text.indexOf('\n', at);
    if (stop === -1) return { state: 'unknown', text: 'its transcript is being written' };
    if (start === 0 && isCut) break;
    const value = read(text.slice(start, stop));
    if (value !== null) return { state: 'found', value };
    end = start;
  }
  return isCut ? { state: 'unknown', text: 'its transcript is too long to be searched' } : { state: 'none' };
}
