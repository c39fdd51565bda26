import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { UserFile } from './user-file.ts';

/** Finds the process that has a file open for writing; null where there is none, or nobody has to be looked for. */
export type FindWriter = (
  file: Pick<UserFile, 'device' | 'inode'>,
  names: readonly string[],
  isOver?: () => boolean,
) => number | null;

/**
 * The process that has a file open for writing; null where there is none. Only Linux tells, and only of processes that
 * this user may look into. `names` are the last names that the file has now: looking at every open file of the machine
 * could wait for a server that is gone. `isOver` is asked often, and ends the search early.
 */
export function writerOf(
  file: Pick<UserFile, 'device' | 'inode'>,
  names: readonly string[],
  isOver: () => boolean = () => false,
): number | null {
  for (const pid of entriesOf('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    if (isOver()) return null;
    const isWriter = entriesOf(`/proc/${pid}/fd`).some((open) => isWriting(file, names, pid, open));
    if (isWriter) return Number(pid);
  }
  return null;
}

function isWriting(
  { device, inode }: Pick<UserFile, 'device' | 'inode'>,
  names: readonly string[],
  pid: string,
  open: string,
): boolean {
  try {
    const link = readlinkSync(`/proc/${pid}/fd/${open}`).replace(/ \(deleted\)$/, '');
    if (!names.some((name) => link.endsWith(`/${name}`))) return false;
    const { dev, ino } = statSync(`/proc/${pid}/fd/${open}`);
    if (dev !== device || ino !== inode) return false;
    const [, flags = '0'] =
      /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${open}`, 'utf8')) ?? [];
    // The last two bits say whether it is open for reading only.
    return (Number.parseInt(flags, 8) & 3) !== 0;
  } catch {
    // It has been closed meanwhile.
    return false;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
