import type { SessionEntry } from '../../core/sight/roll.ts';
import { textAt } from '../files/look.ts';

/**
 * How often the kernel gave a tmux server a turn: as long as that stays the same it has done nothing. Null where it is not told,
 * and where the process of that number is something else, as it is where the server counts processes for itself.
 */
export function turnsOf(pid: number, procRoot = '/proc'): string | null {
  const status = textAt(`${procRoot}/${pid}/status`, 'latin1');
  if (!status?.startsWith('Name:\ttmux')) return null;
  const turns = status.match(/voluntary_ctxt_switches:\t\d+/g);
  return turns?.length === 2 ? turns.join(' ') : null;
}

/** Every process that the panes of a session were seen to have. */
export function processesIn({ evidence }: SessionEntry): number[] {
  return evidence.flatMap((piece) =>
    piece.kind === 'processes' ? piece.processes.map(({ pid }) => pid) : [],
  );
}
