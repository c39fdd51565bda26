import { isKeeper } from './keepers.ts';
import type { Process } from './process.ts';
import { isTmux, lineOf } from './whose.ts';

/** A process that carries the mark of a program that rollcall started, and so was started by it. */
export interface Carrier {
  readonly process: Process;
  /** As its environment has them. */
  readonly tmux: string | undefined;
  readonly tmuxPane: string | undefined;
  /** Others can connect to it. */
  readonly isListening: boolean;
}

/** The pane whose environment the program was given. */
export interface GivenPane {
  readonly tmux: string | undefined;
  readonly tmuxPane: string | undefined;
}

/**
 * What a program left running that ends with it. Left alone are servers, which are meant to stay for the next ones (a build
 * daemon, an agent of keys), whatever runs in a terminal or in a pane of its own, and everything below these: somebody
 * may be at work there.
 */
export function leftRunning(
  carriers: readonly Carrier[],
  byPid: ReadonlyMap<number, Process>,
  given: GivenPane,
): Process[] {
  const kept = new Set(carriers.filter((one) => mayStay(one, given)).map(({ process }) => process.pid));
  return carriers
    .map(({ process }) => process)
    .filter(({ state }) => state !== 'Z' && state !== 'X')
    .filter((process) => !lineOf(process, byPid).some(({ pid }) => kept.has(pid)));
}

function mayStay({ process, tmux, tmuxPane, isListening }: Carrier, given: GivenPane): boolean {
  if (isListening || isTmux(process) || isKeeper(process.comm)) return true;
  // It was started without a terminal: whoever has one got it from somebody else. Unknown counts as one.
  return process.ttyNumber !== 0 || tmux !== given.tmux || tmuxPane !== given.tmuxPane;
}
