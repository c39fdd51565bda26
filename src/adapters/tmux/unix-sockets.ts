import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The listening Unix sockets of one network namespace. */
export interface UnixSockets {
  /** Paths as their servers bound them: perhaps relative, perhaps through a symlink. */
  readonly paths: ReadonlySet<string>;
  /** The same paths by the inode that `/proc/<pid>/fd` names. */
  readonly byInode: ReadonlyMap<string, string>;
}

/** Reads the kernel's table of Unix sockets; null where there is none (macOS) or it may not be read. */
export function readUnixSockets(procRoot: string, pid?: number): UnixSockets | null {
  try {
    const folder = pid === undefined ? 'net' : join(String(pid), 'net');
    return parseUnixSockets(readFileSync(join(procRoot, folder, 'unix'), 'utf8'));
  } catch {
    return null;
  }
}

// Num RefCount Protocol Flags Type St Inode Path; flag 00010000 is SO_ACCEPTCON, which only listeners carry.
const LISTENER = /^\S+ \S+ \S+ 00010000 0001 \S+ +(\d+) (.+)$/;

/** Abstract sockets (`@…`) are left out: tmux cannot reach them by path. */
export function parseUnixSockets(table: string): UnixSockets {
  const paths = new Set<string>();
  const byInode = new Map<string, string>();
  for (const line of table.split('\n')) {
    if (!line.includes(' 00010000 ')) continue;
    const [, inode = '', path = '@'] = LISTENER.exec(line) ?? [];
    if (path.startsWith('@')) continue;
    paths.add(path);
    byInode.set(inode, path);
  }
  return { paths, byInode };
}
