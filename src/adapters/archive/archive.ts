import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../core/visible.ts';
import type { Archive, ArchiveContent, Archived, ArchiveRead } from '../../ports/archive.ts';
import { ArchiveError, hintFor } from './archive-error.ts';
import { checkFolder, openArchiveFolder } from './archive-folder.ts';
import { readBounded, readDocument } from './read-document.ts';
import { removeLeftovers, writeFolder, writeInto } from './write-folder.ts';

/** The one document of an archive; beside it lies one text per pane. */
const DOCUMENT = 'session.json';

/** How often more is kept of one pane: it is once, and again only where it moved right before it was removed. */
const MAX_LATER = 9;

/** No text that is written is longer. */
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
        writeFolder(root, id, files);
        return { state: 'written', path };
      } catch (error) {
        return failed(path, error, root);
      }
    },
    read: (id) => read(root, id),
    screens: (id, paneId) => screens(root, id, paneId),
    add(id, paneId, text) {
      const path = join(root, id);
      try {
        checkPlace(root, id);
        const file = laterNames(paneId).find((name) => !isThere(join(path, name)));
        if (file === undefined)
          throw new ArchiveError('enough is kept of it', 'nothing is ever written over');
        writeInto(root, id, file, text);
        return { state: 'written', path: join(path, file) };
      } catch (error) {
        return failed(path, error, root);
      }
    },
  };
}

function screens(root: string, id: string, paneId: string): string[] {
  try {
    checkPlace(root, id);
    const names = [firstName(paneId), ...laterNames(paneId)].map((name) => join(root, id, name));
    return names.filter(isThere).flatMap(textIn);
  } catch {
    return [];
  }
}

function textIn(path: string): string[] {
  try {
    return [readBounded(path, MAX_TEXT_BYTES).toString('utf8')];
  } catch {
    return [];
  }
}

/** Throws where the archive is not there, or not ours. */
function checkPlace(root: string, id: string): void {
  checkId(id, root);
  for (const folder of [root, join(root, id)]) checkFolder(lstatSync(folder), folder);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function read(root: string, id: string): ArchiveRead {
  const path = join(root, id);
  try {
    checkId(id, root);
    for (const folder of [root, path]) {
      const entry = lstatSync(folder, { throwIfNoEntry: false });
      if (entry === undefined) return { state: 'absent', path };
      checkFolder(entry, folder);
    }
    return { state: 'read', document: readDocument(join(path, DOCUMENT)), path };
  } catch (error) {
    return { state: 'failed', path: visible(path, 600), text: visible((error as Error).message, 600) };
  }
}

/** An id is one name in one folder: no separator, and no dot in front, which is how what is under way is named. */
function checkId(id: string, root: string): void {
  if (/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(id)) return;
  throw new ArchiveError(`not the id of an archive: "${id}"`, `ids are the names of the folders in ${root}`);
}

function filesOf({ document, histories }: ArchiveContent): Map<string, string> {
  const files = new Map([[DOCUMENT, `${JSON.stringify(document, null, 2)}\n`]]);
  for (const [paneId, text] of histories) {
    files.set(firstName(paneId), text);
  }
  return files;
}

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
