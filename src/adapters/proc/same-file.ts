import { type Open, readOpenFile } from './open-doors.ts';

/** Files by inode: what each is called, and the device that it is on; null where that cannot be told. */
export type Files = ReadonlyMap<string, readonly { readonly link: string; readonly device: string | null }[]>;

/** Collects what these processes have open, where the kernel tells the inode. */
export function filesOf(
  procRoot: string,
  opens: Iterable<readonly [folder: string, open: readonly Open[]]>,
): Files {
  const files = new Map<string, { link: string; device: string | null }[]>();
  for (const [folder, open] of opens) {
    for (const { link, descriptor } of open) {
      const { inode, mount } = readOpenFile(procRoot, folder, descriptor);
      if (inode === null) continue;
      files.set(inode, [...(files.get(inode) ?? []), { link, device: deviceOf(mount()) }]);
    }
  }
  return files;
}

/** What a file of another process is called among these: a hard link or another mount gives it another name. */
export function namesAmong(files: Files, procRoot: string, folder: string, descriptor: string): string[] {
  if (files.size === 0) return [];
  const { inode, mount } = readOpenFile(procRoot, folder, descriptor);
  const same = inode === null ? [] : (files.get(inode) ?? []);
  if (same.length === 0) return [];
  const device = deviceOf(mount());
  // Where a mount is not seen, the same inode may be the same file.
  const isSame = (other: string | null) => device === null || other === null || device === other;
  return same.flatMap((one) => (isSame(one.device) ? [one.link] : []));
}

function deviceOf(mount: string | null): string | null {
  return mount?.split(' ')[2] ?? null;
}
