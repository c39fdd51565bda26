import { commonName, type Process } from '../sight/process.ts';
import { isKeeper } from './keepers.ts';

/** Where a process stands to terminals: in the terminal session of a pane, in another's, or in none. */
export type TerminalPlace = 'pane' | 'other' | 'none';

/** A process in the line of those that stand above one another, with what is known of its program. */
export interface InLine {
  readonly process: Pick<Process, 'pid' | 'comm' | 'startTicks'>;
  /** The name of its program; null where its command line was not read. */
  readonly program: string | null;
  /** Works for several panes: a vendor's daemon. */
  readonly isShared: boolean;
  /** The user it runs as; null where that cannot be told. Undefined: not asked. */
  readonly uid?: number | null;
  /** Where it stands to terminals; null where that cannot be told. Undefined: not asked. */
  readonly terminal?: TerminalPlace | null;
  /** Keeps a terminal for others, as a terminal window does; null where that cannot be read. Undefined: not asked. */
  readonly keepsTerminal?: boolean | null;
}

/** By what a process is claimed for a pane. */
export interface Claim {
  /**
   * `tree`: it runs below the process of the pane. `session`: it kept the pane's terminal session. `mark`: it bears the
   * pane's mark in its environment. `record`: somebody judged it earlier, by pid and start mark.
   */
  readonly by: 'tree' | 'session' | 'mark' | 'record';
  /** Itself first, then its parent and so on; below a pane up to the pane's own process, elsewhere up to process 1. */
  readonly line: readonly [InLine, ...InLine[]];
  /** The server of the pane. */
  readonly server: { readonly startTicks: number };
  /** The pane is dead: its number may be another's. */
  readonly isPaneDead?: boolean;
  readonly ownUid?: number;
}

/** Whose a process is: a pane's, which may end it, or nobody's, with the reason. */
export type Whose =
  | { readonly of: 'pane'; readonly place: 'inside' | 'outside' }
  | { readonly of: 'nobody'; readonly why: string };

/**
 * Says whose a process is that something ties to a pane. Nobody's are process 0 and 1, another user's processes, tmux
 * servers, daemons that several panes share, keepers of keys, terminals and windows, what runs in another terminal than a
 * pane's, everything below any of these, and what is older than the pane's server. Nobody's are never ended, forced or not.
 */
export function whose({ by, line, server, isPaneDead = false, ownUid }: Claim): Whose {
  const [{ process, uid }] = line;
  if (process.pid <= 1) return nobodys('it is not a process of any pane');
  if (process.startTicks < server.startTicks) return nobodys('it is older than the tmux server of the pane');
  if (uid !== undefined && uid !== ownUid) {
    return nobodys(uid === null ? 'its user cannot be read' : `it belongs to another user (uid ${uid})`);
  }
  const why = keptIn(line);
  if (why !== null) return nobodys(why);
  if (by === 'session' && isPaneDead) {
    return nobodys('only the number of a terminal session ties it to a pane that is dead');
  }
  return { of: 'pane', place: by === 'tree' ? 'inside' : 'outside' };
}

function nobodys(why: string): Whose {
  return { of: 'nobody', why };
}

/** What in its line makes a process nobody's: itself, or what it runs below. */
export function keptIn(line: readonly InLine[]): string | null {
  for (const [at, one] of line.entries()) {
    const reason = reasonOf(one) ?? terminalReason(one, line.slice(at + 1));
    if (reason === null) continue;
    const { pid } = one.process;
    return at === 0
      ? `it ${reason}`
      : `it runs below ${one.program ?? commonName(one.process)} (pid ${pid}), which ${reason}`;
  }
  return null;
}

// Whatever a window of a person's is called: it left every terminal, and keeps one for somebody. `script` and agents that
// make one for a command stay in the pane's terminal while they do, and what runs in it is theirs.
function terminalReason({ terminal, keepsTerminal }: InLine, above: readonly InLine[]): string | null {
  if (terminal === 'none' && keepsTerminal === true) return 'keeps a terminal of its own';
  if (terminal === 'none' && keepsTerminal === null) {
    return 'may keep a terminal of its own: what it has open cannot be read';
  }
  const isElsewhere = terminal === 'other' && !above.some((one) => one.keepsTerminal === true);
  return isElsewhere ? 'runs in another terminal' : null;
}

function reasonOf({ process, program, isShared }: InLine): string | null {
  if (isTmux(process)) return 'is a tmux server';
  if (isShared) return 'works for other sessions too';
  if (isKeeper(process.comm) || (program !== null && isKeeper(program))) {
    return 'serves more than the session that started it';
  }
  return null;
}

/** Whether a process is tmux itself, by the name that it gives itself. */
export function isTmux({ comm }: Pick<Process, 'comm'>): boolean {
  return comm === 'tmux: server' || comm === 'tmux';
}

/** A process and everything above it, itself first; a table that was read while processes came and went may hold a ring. */
export function lineOf(
  process: Process,
  byPid: ReadonlyMap<number, Process>,
  endsAt?: number,
): [Process, ...Process[]] {
  const line: [Process, ...Process[]] = [process];
  const seen = new Set([process.pid]);
  let at: Process | undefined = process.pid === endsAt ? undefined : byPid.get(process.ppid);
  while (at !== undefined && at.pid > 1 && !seen.has(at.pid)) {
    seen.add(at.pid);
    line.push(at);
    at = at.pid === endsAt ? undefined : byPid.get(at.ppid);
  }
  return line;
}

/** A process and what is above it, up to the tmux server whose pane it runs in. */
export function lineInPane(process: Process, byPid: ReadonlyMap<number, Process>): [Process, ...Process[]] {
  const [first, ...above] = lineOf(process, byPid);
  const server = above.findLastIndex(isTmux);
  return [first, ...(server === -1 ? above : above.slice(0, server))];
}

/** Which terminal a process has: that of a pane where tmux started the leader of its session; null where that is not known. */
export function terminalPlace(
  { sid, ttyNumber }: Pick<Process, 'sid' | 'ttyNumber'>,
  byPid: ReadonlyMap<number, Process>,
): TerminalPlace | null {
  const leader = byPid.get(sid);
  const above = leader && byPid.get(leader.ppid);
  if (above !== undefined && isTmux(above)) return 'pane';
  if (ttyNumber === undefined) return null;
  return ttyNumber === 0 ? 'none' : 'other';
}
