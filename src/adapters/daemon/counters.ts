import { openSync, readSync } from 'node:fs';
import type { SessionEntry } from '../../core/sight/roll.ts';
import { tryOr } from '../../core/try-or.ts';
import { withFile } from '../files/own-file.ts';

/**
 * How often the kernel gave a tmux server a turn: as long as that stays the same it has done nothing. Null where it is not told,
 * and where the process of that number is something else, as it is where the server counts processes for itself.
 */
export function turnsOf(pid: number, procRoot = '/proc'): string | null {
  const bytes = bytesAt(`${procRoot}/${pid}/status`);
  const status = bytes?.toString('latin1') ?? '';
  if (!status.startsWith('Name:\ttmux')) return null;
  const turns = status.match(/voluntary_ctxt_switches:\t\d+/g);
  return turns?.length === 2 ? turns.join(' ') : null;
}

/** Every process that the panes of a session were seen to have. */
export function processesIn({ evidence }: SessionEntry): number[] {
  return evidence.flatMap((piece) =>
    piece.kind === 'processes' ? piece.processes.map(({ pid }) => pid) : [],
  );
}

// The longest are those of a process with many groups, on a machine with many processors.
const SCRATCH = Buffer.allocUnsafeSlow(16 * 1024);

/**
 * A small file of the kernel, in a buffer that the next one overwrites; null where it cannot be read. Reading it as any other file
 * costs more than twice as much.
 */
export function bytesAt(path: string): Buffer | null {
  const read = (file: number) => SCRATCH.subarray(0, readSync(file, SCRATCH, 0, SCRATCH.length, null));
  return tryOr(null, () => withFile(openSync(path, 'r'), read));
}
