import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { visible } from '../../core/text/visible.ts';

const MAX_BYTES = 8 * 1024;

export type ReadHeaders =
  | { readonly state: 'read'; readonly headers: Readonly<Record<string, string>> }
  | { readonly state: 'refused'; readonly text: string; readonly hint: string };

/** Reads `Name: value` lines from a file that only its user may read. Read anew each time: tokens change. */
export function readHeaders(path: string): ReadHeaders {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile() || stat.size > MAX_BYTES) {
        return refused(path, 'is not a small regular file', 'write lines such as: Authorization: Bearer …');
      }
      if ((stat.mode & 0o077) !== 0) {
        return refused(path, 'can be read by other users', `run: chmod 600 ${path}`);
      }
      return parse(path, readFileSync(file, 'utf8'));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return refused(path, `cannot be read (${code})`, 'check the path of headerFile');
  }
}

// Names and values as HTTP has them; a value is never repeated in an error, it may be a token.
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \t]*([\x20-\x7e]*?)[ \t]*$/;

function parse(path: string, text: string): ReadHeaders {
  const headers: Record<string, string> = {};
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const match = HEADER.exec(line);
    if (match === null) {
      return refused(path, `has no header in line ${at + 1}`, 'write lines such as: Authorization: Bearer …');
    }
    headers[match[1] as string] = match[2] as string;
  }
  return { state: 'read', headers };
}

function refused(path: string, text: string, hint: string): ReadHeaders {
  return { state: 'refused', text: visible(`${path} ${text}`, 600), hint: visible(hint, 600) };
}
