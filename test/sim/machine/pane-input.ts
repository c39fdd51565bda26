import type { Program } from './process.ts';
import type { SimPane } from './tmux-parts.ts';

/**
 * Who reads what is typed in a pane: the leader of the group that has its terminal. Nobody where a mode swallows it, it takes
 * no input, or its program has ended.
 */
export function listenerIn({ modes, isDead, isInputOff, server, tty, process }: SimPane): Program | null {
  if (modes > 0 || isDead || isInputOff) return null;
  const front = server.machine.processes.at(tty.front);
  return (front?.ending === null && front.tty === tty ? front : process).program;
}
