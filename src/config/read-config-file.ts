import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { tryOr } from '../core/try-or.ts';

const MAX_BYTES = 256 * 1024;

/** What stands in one file, exactly absent, or why it could not be had. */
export type ConfigFile =
  | { readonly state: 'read'; readonly content: Readonly<Record<string, unknown>>; readonly text: string }
  | NoFile;

/** The same before it is understood. */
type ConfigText = { readonly state: 'read'; readonly text: string } | NoFile;

type NoFile =
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly text: string; readonly hint: string };

/**
 * Reads one JSON object. A repository may hold a link to a pipe or a device: so only a small regular file is read, with
 * a limit, because kernel files lie about their size. `isProject`: refuses files of other users.
 */
export function readConfigFile(path: string, isProject = false): ConfigFile {
  const file = readConfigText(path, isProject);
  return file.state === 'read' ? parse(file.text, isProject) : file;
}

export function readConfigText(path: string, isProject = false): ConfigText {
  try {
    return readSmallFile(path, isProject);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return { state: 'absent' };
    return failed(`cannot be read (${code ?? String(error)})`, 'check the path and its permissions');
  }
}

function readSmallFile(path: string, isProject: boolean): ConfigText {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stat = fstatSync(descriptor);
    const isTrusted = stat.uid === 0 || stat.uid === process.getuid?.();
    if (isProject && !isTrusted) {
      return failed(`belongs to another user (uid ${stat.uid})`, 'take it over with chown, or remove it');
    }
    const text = stat.isFile() && stat.size <= MAX_BYTES ? readBounded(descriptor) : null;
    return text === null
      ? failed('is not a regular file of at most 256 KiB', 'put a small JSON file there, or remove it')
      : { state: 'read', text };
  } finally {
    closeSync(descriptor);
  }
}

function readBounded(descriptor: number): string | null {
  const buffer = Buffer.allocUnsafe(MAX_BYTES + 1);
  let length = 0;
  while (length <= MAX_BYTES) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (read === 0) return buffer.toString('utf8', 0, length);
    length += read;
  }
  return null;
}

function parse(text: string, isProject: boolean): ConfigFile {
  const json = text.replace(/^\ufeff/, '');
  if (json.trim() === '') return failed('is empty', 'write {} into it, or remove it');
  try {
    const content: unknown = JSON.parse(json);
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
      return { state: 'read', content: content as Record<string, unknown>, text };
    }
  } catch (error) {
    const hint =
      'JSON has no comments and no comma after the last value; names and texts stand in double quotes';
    // The message quotes the file, and a repository's link may lead to one with secrets.
    const { message } = error as Error;
    const where = isProject ? (/ at position \d+/.exec(message)?.[0] ?? '') : `: ${message}`;
    return failed(`is not valid JSON${where}`, hint);
  }
  return failed('holds no JSON object', 'write { "idleAfter": "1h" }, for example');
}

function failed(text: string, hint: string): NoFile {
  return { state: 'failed', text, hint };
}

export const PROJECT_FILE = '.rollcall.json';

/**
 * The nearest project file from `cwd` up to the repository's root or home. Outside both only `cwd` itself is looked
 * at: further up lie folders such as /tmp where anyone may put a file.
 */
export function findProjectFile(cwd: string, home: string): string | null {
  const folders = foldersUpTo(cwd, new Set([home, tryOr(home, () => realpathSync(home))]));
  // A dangling link or an unreadable folder counts as there: reading it then says what is wrong, instead of nothing.
  const isThere = (path: string) =>
    tryOr(true, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  return folders.map((folder) => join(folder, PROJECT_FILE)).find(isThere) ?? null;
}

function foldersUpTo(cwd: string, homes: ReadonlySet<string>): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (homes.has(folder) || existsSync(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}
