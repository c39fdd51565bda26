import { isUtf8 } from 'node:buffer';

/** A path as one character for each byte: names need not be UTF-8, and decoded they would name another file, or none. */
export type BytePath = string;

export function toBytePath(path: string): BytePath {
  return Buffer.from(path).toString('latin1');
}

export function bytesOf(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** The path as text, for people where it is not UTF-8. */
export function textOf(path: BytePath): { readonly text: string; readonly isExact: boolean } {
  const bytes = bytesOf(path);
  return { text: bytes.toString('utf8'), isExact: isUtf8(bytes) };
}
