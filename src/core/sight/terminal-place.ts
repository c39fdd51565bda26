import { isTmux, type TerminalPlace } from '../verdict/whose.ts';
import type { Process } from './process.ts';

/** Where a process stands to terminals, by the leader of its session, which tmux started if it is a pane's; null where that is not known. */
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
