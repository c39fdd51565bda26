import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tryOr, unless } from '../../core/try-or.ts';

/** The text of a file; null when it cannot be read, which is an answer and no failure. */
export function textAt(path: string, encoding: 'utf8' | 'latin1' = 'utf8'): string | null {
  return tryOr(null, () => readFileSync(path, encoding));
}

/** The names in a folder; none where it cannot be read. */
export function namesIn(folder: string): string[] {
  return tryOr([], () => readdirSync(folder));
}

/** The names in a folder; none where there is no folder. Throws what else the file system says. */
export function namesInOrThrow(folder: string): string[] {
  return unless('ENOENT', [], () => readdirSync(folder));
}

/** The names of the JSON files in a folder, without `.json`, as far as they have this form. */
export function recordsIn(folder: string, form: RegExp, names = namesIn): string[] {
  return names(folder).flatMap((name) => {
    const record = name.endsWith('.json') ? name.slice(0, -'.json'.length) : '';
    return form.test(record) ? [record] : [];
  });
}

/** When a file was last written, epoch ms; null where there is none. Follows no link. */
export function writtenAt(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Where a link leads; null where there is none, or it may not be looked at. */
export function linkAt(path: string): string | null {
  return tryOr(null, () => readlinkSync(path));
}

/** How long the machine runs by a `/proc/uptime`, in seconds; not a number where that does not tell. */
export function uptimeAt(path: string): number {
  return Number(/^\d{1,12}(?:\.\d{1,6})?(?= )/.exec(textAt(path) ?? '')?.[0] ?? Number.NaN);
}

/** The fields of a `/proc/PID/stat` behind the name, the state of the process first; null where there is none. */
export function statFields(path: string): string[] | null {
  const text = textAt(path, 'latin1');
  // The name in parentheses may hold anything, also blanks and parentheses.
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}
