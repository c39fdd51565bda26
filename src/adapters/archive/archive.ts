import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../core/visible.ts';
import type { Archive, ArchiveContent, Archived, ArchiveRead } from '../../ports/archive.ts';
import { ArchiveError, hintFor } from './archive-error.ts';
import { checkFolder, openArchiveFolder } from './archive-folder.ts';
import { readDocument } from './read-document.ts';
import { removeLeftovers, writeFolder } from './write-folder.ts';

/** The one document of an archive; beside it lies one text per pane. */
const DOCUMENT = 'session.json';

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
        if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
          throw new ArchiveError('there is an archive of that name already', 'nothing is ever written over');
        }
        writeFolder(root, id, files);
        return { state: 'written', path };
      } catch (error) {
        return failed(path, error, root);
      }
    },
    read: (id) => read(root, id),
  };
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
    const [, number] = /^%(\d{1,9})$/.exec(paneId) ?? [];
    if (number === undefined) throw new ArchiveError(`not the id of a pane: "${paneId}"`, 'this is a defect');
    files.set(`pane-${number}.txt`, text);
  }
  return files;
}

function failed(path: string, error: unknown, root: string): Archived {
  const text = `${path} was not written: ${(error as Error).message}`;
  return { state: 'failed', text: visible(text, 600), hint: visible(hintFor(error, root), 600) };
}
