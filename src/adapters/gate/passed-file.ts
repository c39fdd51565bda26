import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import type { PassedStop } from '../../ports/gate.ts';

/** Of more than this nobody wants to know the rest. */
const MOST_BYTES = 256 * 1024;
const LINE = /^([A-Za-z0-9._-]{1,64}) ?(\d{1,10} %\d{1,10})?$/;

/** What the hook let through by itself: it adds a line to a file each time. */
export interface PassedFile {
  read(): readonly PassedStop[];
  /** Takes away what was read last; what came since stays. */
  empty(): void;
}

export function createPassedFile(path: string, uid: number): PassedFile {
  let known: { readonly inode: bigint; readonly bytes: number; readonly isCut: boolean } | null = null;
  return {
    read() {
      const found = readStart(path, uid, 0);
      // Whole lines only: the last one may be cut, or just be written.
      const bytes = found === null ? 0 : found.bytes.lastIndexOf('\n') + 1;
      known = found && { inode: found.inode, bytes, isCut: found.bytes.length === MOST_BYTES };
      return linesIn(found?.bytes.subarray(0, bytes)).flatMap((line) => {
        const match = LINE.exec(line);
        return match?.[1] === undefined ? [] : [{ agentKind: match[1], place: match[2] ?? '' }];
      });
    },
    empty() {
      if (known === null) return;
      const { inode, bytes, isCut } = known;
      known = null;
      // Moved first: a hook that comes now begins a file of its own.
      const taken = `${path}.taken`;
      renameSync(path, taken);
      const rest = readStart(taken, uid, bytes);
      if (rest !== null && rest.inode === inode && rest.bytes.length > 0 && !isCut) {
        appendFileSync(path, rest.bytes, { mode: 0o600 });
      }
      unlinkSync(taken);
    },
  };
}

function readStart(path: string, uid: number, from: number): { inode: bigint; bytes: Buffer } | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const entry = fstatSync(file, { bigint: true });
    if (!entry.isFile() || entry.uid !== BigInt(uid)) return null;
    const bytes = Buffer.alloc(Math.max(0, Math.min(Number(entry.size) - from, MOST_BYTES)));
    const count = readSync(file, bytes, 0, bytes.length, from);
    return { inode: entry.ino, bytes: bytes.subarray(0, count) };
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

function linesIn(bytes: Buffer | undefined): string[] {
  return (bytes?.toString('latin1') ?? '').split('\n').filter((line) => line !== '');
}
