import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** A lock file that is looked for among the open files of processes. */
export interface SoughtFile {
  readonly path: string;
  readonly inode: bigint;
}

/**
 * The pids that hold each of these files: they have it open, and the kernel lists an exclusive lock for that very
 * descriptor. Processes that may not be looked into are left out; null where there is no /proc.
 */
export function findHolding(
  pids: Iterable<number>,
  files: readonly SoughtFile[],
): ReadonlyMap<string, readonly number[]> | null {
  if (process.platform !== 'linux') return null;
  const sought = new Map(files.map((file) => [basename(file.path), file]));
  const found = new Map<string, number[]>();
  for (const pid of pids) {
    for (const path of filesHeldBy(pid, sought)) found.set(path, [...(found.get(path) ?? []), pid]);
  }
  return found;
}

function filesHeldBy(pid: number, sought: ReadonlyMap<string, SoughtFile>): Set<string> {
  const held = new Set<string>();
  for (const descriptor of descriptorsOf(pid)) {
    const shown = targetOf(pid, descriptor);
    const file = sought.get(basename(shown));
    if (file !== undefined && isLocking(pid, descriptor, shown, file)) held.add(file.path);
  }
  return held;
}

function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

function targetOf(pid: number, descriptor: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return '';
  }
}

// A process in a mount namespace of its own shows another path, but the same inode.
function isLocking(pid: number, descriptor: string, shown: string, { path, inode }: SoughtFile): boolean {
  try {
    const info = readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1');
    const locked = /^lock:.* OFDLCK .* WRITE .*:(\d+) /m.exec(info)?.[1];
    return locked !== undefined && (shown === path || locked === `${inode}`);
  } catch {
    return false;
  }
}
