import { isKernelThread, type ProcessTable } from '../sight/process.ts';
import { visible } from '../text/visible.ts';

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
  /** What else it has open through which others may reach it by a name: FIFOs, watched folders, devices, the unknown. */
  readonly doors: readonly string[];
  /** Processes of which nobody here may read what they have open. */
  readonly unread: readonly Unread[];
  /** Its own cgroup; null where that is not known. */
  readonly cgroup: string | null;
}

export interface Unread {
  readonly pid: number;
  readonly cgroup: string | null;
}

/** Why somebody may talk to it, whoever holds its pipes; null where nothing speaks for that. */
export function whyTied(ties: Ties | null, serverTicks: number, table: ProcessTable): string | null {
  if (ties === null) return 'what it has open cannot be read, so somebody may talk to it';
  const { isListening, sockets, terminals, doors, unread } = ties;
  if (isListening) return 'it listens on a socket, so others may use it';
  if (sockets[0] !== undefined) return `somebody may be at the other end of its socket ${sockets[0]}`;
  if (terminals[0] !== undefined) return `it has the terminal ${terminals[0]} open`;
  if (doors[0] !== undefined) return `others may use it through what it has open: ${visible(doors[0], 200)}`;
  if (!table.isComplete) return 'not all processes can be seen, and a hidden one may talk to it';
  const hidden = unread.find((one) => mayComeFrom(one, ties, serverTicks, table));
  return hidden === undefined
    ? null
    : `pid ${hidden.pid} may talk to it: what that one has open cannot be read from here`;
}

/**
 * Whether a process may have inherited a pipe from something on that tmux server: it was once a descendant of the server. A
 * process that is older than the server was not. An ancestor that is older may be a reaper, which adopts orphans: then only
 * another cgroup proves that the process was started elsewhere.
 */
function mayComeFrom(
  { pid, cgroup }: Unread,
  ties: Ties,
  serverTicks: number,
  { byPid }: ProcessTable,
): boolean {
  const process = byPid.get(pid);
  const seen = new Set<number>();
  for (let at = process; at !== undefined && !seen.has(at.pid); at = byPid.get(at.ppid)) {
    if (isKernelThread(at, byPid) || at.state === 'Z') return false;
    // The server itself, or what was started together with it.
    if (at.startTicks === serverTicks) return true;
    if (at.startTicks < serverTicks) return at !== process && !isApart(ties.cgroup, cgroup);
    seen.add(at.pid);
  }
  return true;
}

// `systemd-run --scope` takes what runs already out of the cgroup that it was started in.
const SCOPE_OF_A_COMMAND = /\/run-[^/]+\.scope$/;

// A cgroup below the other may have been made there.
function isApart(own: string | null, other: string | null): boolean {
  if (own === null || other === null || SCOPE_OF_A_COMMAND.test(other)) return false;
  return !isWithin(own, other) && !isWithin(other, own);
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}
