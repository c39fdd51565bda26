import { renameSync, unlinkSync } from 'node:fs';
import { tryOr } from '../../core/try-or.ts';
import type { PassedStop } from '../../ports/gate.ts';
import { readAt, withOwnFile } from '../files/own-file.ts';
import { appendTo } from '../files/replace-file.ts';

/** No more than this is read. */
const MOST_BYTES = 256 * 1024;
const LINE = /^([A-Za-z0-9._-]{1,64}) ?(\d{1,10} %\d{1,10})?$/;

/** What the hook let through by itself: it adds a line to a file each time. */
export function createPassedFile(path: string, uid: number) {
  let known: { readonly inode: bigint; readonly bytes: number; readonly isCut: boolean } | null = null;
  return {
    read(): readonly PassedStop[] {
      const found = readStart(path, uid, 0);
      // Whole lines only: the last one may be cut, or just be written.
      const bytes = found === null ? 0 : found.bytes.lastIndexOf('\n') + 1;
      known = found && { inode: found.inode, bytes, isCut: found.bytes.length === MOST_BYTES };
      const lines = (found?.bytes.toString('latin1', 0, bytes) ?? '').split('\n');
      return lines.flatMap((line) => {
        const match = LINE.exec(line);
        return match?.[1] === undefined ? [] : [{ agentKind: match[1], place: match[2] ?? '' }];
      });
    },
    /** Takes away what was read last; what came since stays. */
    empty(): void {
      if (known === null) return;
      const { inode, bytes, isCut } = known;
      known = null;
      // Moved first: a hook that comes now begins a file of its own.
      const taken = `${path}.taken`;
      renameSync(path, taken);
      const rest = readStart(taken, uid, bytes);
      if (rest !== null && rest.inode === inode && rest.bytes.length > 0 && !isCut) {
        appendTo(path, rest.bytes);
      }
      unlinkSync(taken);
    },
  };
}

function readStart(path: string, uid: number, from: number): { inode: bigint; bytes: Buffer } | null {
  return tryOr(null, () =>
    withOwnFile(path, { uid }, ({ file, entry }) => {
      const length = Math.max(0, Math.min(Number(entry.size) - from, MOST_BYTES));
      return { inode: entry.ino, bytes: readAt(file, length, from) };
    }),
  );
}
