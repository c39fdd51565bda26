import { randomBytes } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { documentText, MAX_DOCUMENT_BYTES } from '../../core/close/kept-document.ts';
import { type Digests, DOCUMENT, VARIABLES } from '../../core/close/seal.ts';
import { MAX_START_BYTES, parseStart, startText } from '../../core/sight/start.ts';
import { visible } from '../../core/text/visible.ts';
import { tryOr } from '../../core/try-or.ts';
import type { Archive, ArchiveContent, Archived, ArchiveRead, StartRead } from '../../ports/archive.ts';
import { sha256 } from '../files/digest.ts';
import { ArchiveError, checkFolder, hintFor, openArchiveFolder } from './archive-folder.ts';
import { readBounded, readDocument } from './read-document.ts';
import { removeLeftovers, writeFolder, writeInto } from './write-folder.ts';

/** How many later screens are kept of one pane: usually one, and more only where it changed right before it was removed. */
const MAX_LATER = 9;

/** No text that is written or read is longer. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Makes the archive below a folder that `openStateFolder` found ready. */
export function createArchive({ folder }: { readonly folder: string }): Archive {
  const root = join(folder, 'archive');
  return {
    write(id, content) {
      const path = join(root, id);
      try {
        checkId(id, root);
        const files = filesOf(content);
        openArchiveFolder(root);
        removeLeftovers(root);
        if (isThere(path)) {
          throw new ArchiveError('there is an archive of that name already', 'nothing is ever written over');
        }
        writeFolder(root, id, files, readBack);
        return { state: 'written', path, digests: digestsOf(files) };
      } catch (error) {
        return failed(path, error, root);
      }
    },
    read: (id) => read(root, id),
    start: (id) => readStart(root, id),
    screens: (id, paneId) => screens(root, id, paneId),
    differences: (id, digests) => differences(root, id, digests),
    add(id, paneId, text) {
      const path = join(root, id);
      try {
        checkPlace(root, id);
        const file = laterNames(paneId).find((name) => !isThere(join(path, name)));
        if (file === undefined)
          throw new ArchiveError('enough is kept of it', 'nothing is ever written over');
        checkSizes([[file, text]]);
        writeInto(root, id, file, text, readBack);
        return { state: 'written', path: join(path, file), digests: digestsOf([[file, text]]) };
      } catch (error) {
        return failed(path, error, root);
      }
    },
  };
}

function screens(root: string, id: string, paneId: string): string[] {
  return tryOr([], () => {
    checkPlace(root, id);
    const names = [firstName(paneId), ...laterNames(paneId)].map((name) => join(root, id, name));
    return names
      .filter(isThere)
      .flatMap((path) => tryOr([], () => readBounded(path, MAX_TEXT_BYTES).toString('utf8')));
  });
}

/** Throws where the archive is not there, or not ours. */
function checkPlace(root: string, id: string): void {
  checkId(id, root);
  for (const folder of [root, join(root, id)]) checkFolder(folder);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function read(root: string, id: string): ArchiveRead {
  const path = join(root, id);
  try {
    checkId(id, root);
    for (const folder of [root, path]) {
      if (!isThere(folder)) return { state: 'absent', path };
      checkFolder(folder);
    }
    return { state: 'read', path, ...readDocument(join(path, DOCUMENT)) };
  } catch (error) {
    return { state: 'failed', path: visible(path, 600), text: visible((error as Error).message, 600) };
  }
}

function readStart(root: string, id: string): StartRead {
  const path = join(root, id, VARIABLES);
  try {
    checkId(id, root);
    if (!isThere(path)) return { state: 'absent' };
    checkPlace(root, id);
    const bytes = readBounded(path, MAX_START_BYTES);
    const start = parseStart(bytes.toString('utf8'));
    if (start === null) return { state: 'failed', text: `${visible(path, 600)}: it is not whole` };
    return { state: 'read', start, digest: sha256(bytes) };
  } catch (error) {
    return { state: 'failed', text: visible((error as Error).message, 600) };
  }
}

/** An id is one name in one folder: no separator, and no dot in front, which is how what is under way is named. */
function checkId(id: string, root: string): void {
  if (/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(id)) return;
  throw new ArchiveError(`not the id of an archive: "${id}"`, `ids are the names of the folders in ${root}`);
}

function filesOf({ document, histories, start }: ArchiveContent): Map<string, string> {
  const files = new Map([[DOCUMENT, documentText(document)]]);
  if (start !== undefined) files.set(VARIABLES, startText(start, randomBytes(16).toString('hex')));
  for (const [paneId, text] of histories) {
    files.set(firstName(paneId), text);
  }
  checkSizes(files);
  return files;
}

/** Refused before anything is written: what nobody could read again is not kept. */
function checkSizes(files: Iterable<readonly [file: string, text: string]>): void {
  for (const [file, text] of files) {
    const bytes = Buffer.byteLength(text);
    const most = mostBytes(file);
    if (bytes <= most) continue;
    const hint = 'nothing was closed; end what has such long arguments or output by hand, then try again';
    throw new ArchiveError(`${file} would have ${bytes} bytes, and no more than ${most} are read back`, hint);
  }
}

function mostBytes(file: string): number {
  if (file === VARIABLES) return MAX_START_BYTES;
  return file === DOCUMENT ? MAX_DOCUMENT_BYTES : MAX_TEXT_BYTES;
}

/** By the same reader as everybody's, and byte by byte. */
function readBack(path: string, file: string, text: string): void {
  const read = readBounded(path, mostBytes(file));
  if (file === DOCUMENT) readDocument(path);
  if (read.equals(Buffer.from(text))) return;
  throw new ArchiveError(`${file} is not what was written`, 'nothing was closed; look after the disk');
}

function digestsOf(files: Iterable<readonly [file: string, text: string]>): Digests {
  return Object.fromEntries([...files].map(([file, text]) => [file, sha256(text)]));
}

function differences(root: string, id: string, digests: Digests): string[] | null {
  const path = join(root, id);
  if (!isThere(path)) return null;
  return Object.entries(digests).flatMap(([file, digest]) => {
    try {
      checkPlace(root, id);
      if (!FILE.test(file)) throw new ArchiveError('not a file of an archive', 'this is a defect');
      const found = sha256(readBounded(join(path, file), mostBytes(file)));
      return found === digest ? [] : [`${file} is not as it was written`];
    } catch (error) {
      return [`${visible(file, 100)} cannot be read: ${visible((error as Error).message, 600)}`];
    }
  });
}

const FILE = /^(?:session\.json|variables\.json|pane-\d{1,9}(?:\.last(?:-\d)?)?\.txt)$/;

function firstName(paneId: string): string {
  return `pane-${numberOf(paneId)}.txt`;
}

/** What was kept later lies beside it. */
function laterNames(paneId: string): string[] {
  const number = numberOf(paneId);
  return Array.from(
    { length: MAX_LATER },
    (_, at) => `pane-${number}.last${at === 0 ? '' : `-${at + 1}`}.txt`,
  );
}

function numberOf(paneId: string): string {
  const [, number] = /^%(\d{1,9})$/.exec(paneId) ?? [];
  if (number === undefined) throw new ArchiveError(`not the id of a pane: "${paneId}"`, 'this is a defect');
  return number;
}

function failed(path: string, error: unknown, root: string): Archived {
  const text = `${path} was not written: ${(error as Error).message}`;
  return { state: 'failed', text: visible(text, 600), hint: visible(hintFor(error, root), 600) };
}
