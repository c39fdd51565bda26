import type { Process, ProcessTable } from '../process.ts';

/** What a process has open towards others. */
export interface Ties {
  /** Others that have the other end of one of its pipes open, or the same file the other way round (a FIFO). */
  readonly holders: readonly number[];
  /** Others can connect to it. */
  readonly isListening: boolean;
  /** Sockets at whose other end somebody may be. */
  readonly sockets: readonly string[];
  /** Terminals that are still there. */
  readonly terminals: readonly string[];
  /** Processes of which nobody here may read what they have open. */
  readonly unread: readonly number[];
}

/** Why somebody may talk to it, whoever holds its pipes; null where nothing speaks for that. */
export function whyTied(ties: Ties | null, serverTicks: number, table: ProcessTable): string | null {
  if (ties === null) return 'what it has open cannot be read, so somebody may talk to it';
  const { isListening, sockets, terminals, unread } = ties;
  if (isListening) return 'it listens on a socket, so others may use it';
  if (sockets[0] !== undefined) return `somebody may be at the other end of its socket ${sockets[0]}`;
  if (terminals[0] !== undefined) return `it has the terminal ${terminals[0]} open`;
  if (!table.isComplete) return 'not all processes can be seen, and a hidden one may talk to it';
  const hidden = unread.find((pid) => mayComeFrom(table.byPid.get(pid), serverTicks, table));
  return hidden === undefined
    ? null
    : `pid ${hidden} may talk to it: what that one has open cannot be read from here`;
}

const KERNEL_THREADS = 2;

/**
 * Whether a process may have got a pipe from what ran on a tmux server: by being below it once. Not what is older than the
 * server, nor what was started by something older; process 1 and systemd take over whatever lost its parent.
 */
function mayComeFrom(process: Process | undefined, serverTicks: number, { byPid }: ProcessTable): boolean {
  const seen = new Set<number>();
  for (let at = process; at !== undefined && !seen.has(at.pid); at = byPid.get(at.ppid)) {
    if (at.pid === KERNEL_THREADS || at.ppid === KERNEL_THREADS || at.state === 'Z') return false;
    if (at.startTicks < serverTicks) return at !== process && (at.pid === 1 || at.comm === 'systemd');
    seen.add(at.pid);
  }
  return true;
}
