import type { Process } from '../sight/process.ts';
import { isKeeper } from './keepers.ts';
import { isTmux, lineOf } from './whose.ts';

/** A process that carries the mark of a program that rollcall started, and so was started by it. */
export interface Carrier {
  readonly process: Process;
  /** As its environment has them. */
  readonly tmux: string | undefined;
  readonly tmuxPane: string | undefined;
  /** Others can connect to it. */
  readonly isListening: boolean;
  /** Keeps a terminal for others, as a terminal window does; null where that cannot be read. */
  readonly keepsTerminal: boolean | null;
}

/** The pane whose environment the program was given. */
export interface GivenPane {
  readonly tmux: string | undefined;
  readonly tmuxPane: string | undefined;
}

/**
 * What a program left running that ends with it. Left alone are servers, which are meant to stay for the next ones (a build
 * daemon, an agent of keys), windows with a terminal, whatever runs in a terminal or in a pane of its own, and everything
 * that the program left above, below or beside these: somebody may be at work there.
 */
export function leftRunning(
  carriers: readonly Carrier[],
  byPid: ReadonlyMap<number, Process>,
  given: GivenPane,
): Process[] {
  const carrying = new Set(carriers.map(({ process }) => process.pid));
  // The highest process that the program left in this line: whoever ends that one ends what needs it, too.
  const topOf = (process: Process) => lineOf(process, byPid).findLast(({ pid }) => carrying.has(pid));
  const alive = carriers.filter(({ process: { state } }) => state !== 'Z' && state !== 'X');
  const kept = new Set(alive.filter((one) => mayStay(one, given)).map(({ process }) => topOf(process)));
  return alive.map(({ process }) => process).filter((process) => !kept.has(topOf(process)));
}

function mayStay(carrier: Carrier, given: GivenPane): boolean {
  const { process, tmux, tmuxPane, isListening, keepsTerminal } = carrier;
  if (isListening || isTmux(process) || isKeeper(process.comm)) return true;
  // A terminal window has no terminal itself: it keeps one for a person, who loses the shell in it with the window.
  if (keepsTerminal !== false) return true;
  // It was started without a terminal: whoever has one got it from somebody else. Unknown counts as one.
  return process.ttyNumber !== 0 || tmux !== given.tmux || tmuxPane !== given.tmuxPane;
}
