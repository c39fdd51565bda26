import { deviceText, type Mount, mountsIn } from '../../core/sight/mounts.ts';
import { tryOr } from '../../core/try-or.ts';
import { textAt } from './look.ts';
import { openPlain, withFile } from './own-file.ts';

/**
 * What a process has open, as the kernel tells it without asking the file system. Following `/proc/PID/fd/N` asks the
 * file system, and waits for ever if that no longer answers.
 */
export interface OpenElsewhere {
  /** The text of its fdinfo. */
  readonly told: string;
  /** Null where the kernel does not tell (before Linux 5.14). */
  readonly inode: string | null;
  readonly isWriting: boolean;
  /** Null where it cannot be told, as for one that was unmounted while files on it were open. */
  mount(): Mount | null;
}

/** Reads it; null where there is no such descriptor, or it may not be looked at. */
export function readOpenElsewhere(pid: number | string, descriptor: number | string): OpenElsewhere | null {
  const told = textAt(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1');
  if (told === null) return null;
  const id = /^mnt_id:\s*(\d+)$/m.exec(told)?.[1];
  return {
    told,
    inode: /^ino:\s*(\d+)$/m.exec(told)?.[1] ?? null,
    // The last two bits say whether it is open for reading only.
    isWriting: (Number.parseInt(/^flags:\s*([0-7]+)/m.exec(told)?.[1] ?? '0', 8) & 3) !== 0,
    // Opened in another namespace and handed over, it is on a mount of whoever opened it.
    mount: () => mountOf(pid, id) ?? mountOf('self', id),
  };
}

/** The same of a file that this process opens for it; null where it cannot be opened. */
export function readOpenHere(path: string): OpenElsewhere | null {
  const file = tryOr(null, () => openPlain(path));
  return file === null ? null : withFile(file, () => readOpenElsewhere('self', file));
}

/**
 * Whether it is safe to use the descriptor: the kernel itself serves the mount, or it is the file system with this
 * device number of stat(2), which the caller uses anyway.
 */
export function mayReach(mount: Mount | null, device: number | bigint): boolean {
  return mount !== null && (mount.isSafe || mount.device === deviceText(BigInt(device)));
}

function mountOf(pid: number | string, id: string | undefined): Mount | null {
  return mountsIn(textAt(`/proc/${pid}/mountinfo`, 'latin1') ?? '').find((mount) => mount.id === id) ?? null;
}
