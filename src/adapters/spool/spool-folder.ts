import { type BigIntStats, lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { unless } from '../../core/try-or.ts';
import { elapsedMs } from '../files/elapsed.ts';
import { type FolderObjection, objectionToEntry } from '../files/own-folder.ts';
import type { ListedFile } from './read-event.ts';

export type SpoolState =
  | { readonly state: 'absent' }
  | { readonly state: 'refused'; readonly text: string }
  /** `isChanged`: files may have come or gone since it was last listed. */
  | { readonly state: 'ready'; readonly isChanged: boolean };

export type SpoolFolder = ReturnType<typeof createSpoolFolder>;

export interface SpoolListing {
  /** In the order in which they were finished; none until the time of every one is known. */
  readonly files: readonly ListedFile[];
  readonly isComplete: boolean;
  /** How many there are, also of those that are not listed yet. */
  readonly total: number;
  /** Files that begin with a dot: some writer's own, until it renames them. */
  readonly temporary: readonly ListedFile[];
}

/** Time stamps are as coarse as two seconds on some file systems: until then another file may have come unnoticed. */
const COARSE_NS = 2_000_000_000n;
/** No more files are looked at than these: those of the hooks that were started first. */
const MAX_FILES = 200_000;
/** What lies in the folder is believed, so nobody else may put anything there. */
const OPEN_TO_OTHERS = 0o022n;

/** The folder that hooks write to. */
export function createSpoolFolder(folder: string, uid: number) {
  const known = new Map<string, ListedFile>();
  /** Names whose time is not known yet. */
  let rest: string[] = [];
  let total = 0;
  let last: BigIntStats | undefined;
  let listed: { readonly modifiedNs: bigint; readonly inode: bigint } | null = null;
  return {
    /** One stat. */
    look(): SpoolState {
      last = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
      if (last === undefined) return { state: 'absent' };
      const objection = objectionToEntry(last, uid, OPEN_TO_OTHERS);
      if (objection !== null) return { state: 'refused', text: `${folder}: ${textOf(objection)}` };
      const isSame = listed?.modifiedNs === last.mtimeNs && listed.inode === last.ino;
      return { state: 'ready', isChanged: !isSame };
    },
    /** Of whatever kind; where so many were listed before, nothing is listed for it. */
    hasAtLeast: (count: number) => known.size >= count || readdirSync(folder).length >= count,
    /** Goes on at the next call where the time ran out. */
    list(deadline: number): SpoolListing {
      const isComplete = statRest(deadline) && findNew() && statRest(deadline);
      const settled = BigInt(Date.now()) * 1_000_000n - COARSE_NS;
      listed =
        last !== undefined && last.mtimeNs < settled ? { modifiedNs: last.mtimeNs, inode: last.ino } : null;
      const found = [...known.values()];
      const files = isComplete ? found.filter(({ name }) => !name.startsWith('.')).sort(byTime) : [];
      const temporary = found.filter(({ name }) => name.startsWith('.'));
      if (isComplete) keepInOrder([...files, ...temporary]);
      return { files, isComplete, total: Math.max(total, files.length), temporary };
    },
    /** Forgets what was known of a file, so that the next listing looks at it again. */
    lookAgainAt: (name: string) => known.delete(name),
    /** One that is gone already is as good as removed. */
    remove(name: string): void {
      unless('ENOENT', null, () => unlinkSync(join(folder, name)));
      known.delete(name);
    },
  };

  /** Sorted input makes the next sort much faster. */
  function keepInOrder(files: readonly ListedFile[]): void {
    known.clear();
    for (const each of files) known.set(each.name, each);
  }

  function findNew(): true {
    const found = readdirSync(folder);
    total = found.filter((name) => !name.startsWith('.')).length;
    const names = new Set(found.length > MAX_FILES ? found.sort().slice(0, MAX_FILES) : found);
    for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    rest = [...names].filter((name) => !known.has(name)).reverse();
    return true;
  }

  function statRest(deadline: number): boolean {
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
      const found = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
      if (found !== undefined) known.set(name, { name, modifiedNs: found.mtimeNs, size: found.size });
      if (elapsedMs() > deadline) break;
    }
    return rest.length === 0;
  }
}

// Others may read the folder: they cannot put anything there.
function textOf({ fault, text }: FolderObjection): string {
  return fault === 'mode' ? 'other users can write to it' : text;
}

function byTime(a: ListedFile, b: ListedFile): number {
  if (a.modifiedNs !== b.modifiedNs) return a.modifiedNs < b.modifiedNs ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
