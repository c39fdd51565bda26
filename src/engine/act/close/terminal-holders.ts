import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import type { ProcessMark } from '../../../core/sight/identity.ts';
import { indexProcesses } from '../../../core/sight/pane-processes.ts';
import type { Process } from '../../../core/sight/process.ts';
import { programName } from '../../../core/sight/program.ts';
import { listedUsers, mayUseTerminals, tiedTo, USES_TERMINAL } from '../../../core/sight/terminal-users.ts';
import { shownCommand } from '../../../core/text/mask-secrets.ts';
import { visible } from '../../../core/text/visible.ts';
import type { TerminalUser } from '../../../core/verdict/evidence.ts';
import { argvOf } from '../../look/terminal-facts.ts';
import type { Hands } from '../hands.ts';

/** What is known of a close when it is asked who uses the terminals that it takes away. */
export interface Known {
  readonly isForced: boolean;
  /** Whether a process was listed before the first rung. */
  isListed(mark: ProcessMark): boolean;
}

type Eyes = { readonly processes: Pick<Hands['processes'], 'sense' | 'details' | 'holdersOf'> };

/**
 * Why the terminals of these panes must not be taken away right now; null where nothing speaks against it. Asked before the
 * archive and once more right before the session is removed: a child that left its session and lost its variables is tied
 * to the pane by nothing but the terminal that it prints to. Forced, what was listed goes, and what cannot be told too.
 */
export function terminalInUse(
  hands: Eyes,
  server: ProcessMark,
  panes: readonly ClosingPane[],
  { isForced, isListed }: Known,
): string | null {
  const { holders, isComplete } = terminalHolders(hands, server, panes);
  const strange = holders.filter((one) => !isListed(one));
  if (strange.length > 0) return `${listedUsers(strange)} ${USES_TERMINAL}`;
  return isComplete || isForced ? null : 'who uses its terminal cannot be told';
}

/**
 * Who has a terminal of these panes open as things stand, apart from tmux and from what runs in the panes by their trees and
 * terminal sessions. A pane whose window lives on keeps its terminal, and a dead one has none.
 */
export function terminalHolders(
  { processes }: Eyes,
  server: ProcessMark,
  panes: readonly ClosingPane[],
): { readonly holders: readonly TerminalUser[]; readonly isComplete: boolean } {
  const own = panes.filter(({ isShared }) => !isShared);
  const ttys = own.flatMap(({ tty, isDead }) => (tty === null || isDead ? [] : [tty]));
  if (ttys.length === 0) return { holders: [], isComplete: true };
  const table = processes.sense();
  const index = indexProcesses(table.byPid);
  const places = own.map(({ pid, isDead }) => ({ pid, isDead, server, marked: [] }));
  const tied = tiedTo(places, index);
  const strangers = mayUseTerminals(index, server).filter(({ pid }) => !tied.has(pid));
  const { byTty, isComplete } = processes.holdersOf(ttys, strangers);
  const found = new Map([...byTty.values()].flat().map((process) => [process.pid, process]));
  return {
    holders: [...found.values()].map((process) => userOf(process, processes)),
    isComplete: isComplete && table.isComplete && ttys.every((tty) => byTty.has(tty)),
  };
}

function userOf(process: Process, processes: Eyes['processes']): TerminalUser {
  const { pid, startTicks, comm } = process;
  const argv = argvOf(process, processes);
  const command = shownCommand(argv.length > 0 ? argv : [comm], 300);
  return { pid, startTicks, program: visible(programName(argv[0] ?? comm), 120), command };
}
