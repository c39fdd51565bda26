import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { type KeptDocument, MAX_DOCUMENT_BYTES, readKept } from '../../core/close/kept-document.ts';
import { sha256 } from '../files/digest.ts';
import { isObject } from '../files/json-object.ts';
import { openOwnFile, readAt, withFile } from '../files/own-file.ts';
import { ArchiveError } from './archive-folder.ts';

/** Reads one document and what it hashes to; follows no link, waits for no fifo, and throws why where it is not one. */
export function readDocument(path: string): { readonly document: KeptDocument; readonly digest: string } {
  const bytes = readBounded(path, MAX_DOCUMENT_BYTES);
  if (!isUtf8(bytes)) throw damaged(path, 'it is not UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw damaged(path, (error as Error).message);
  }
  if (!isObject(value)) throw damaged(path, 'its content is not as expected');
  return { document: readKept(value), digest: sha256(bytes) };
}

/** Reads one file; follows no link, waits for no fifo, and throws where it is another's or too much. */
export function readBounded(path: string, maxBytes: number): Buffer {
  const { file, entry } = openOwnFile(path, constants.O_RDONLY, { maxBytes, refuse: damaged });
  return withFile(file, () => readAt(file, Number(entry.size), 0));
}

function damaged(path: string, text: string): ArchiveError {
  return new ArchiveError(`${path}: ${text}`, 'the rest of the archive may still be of use');
}
