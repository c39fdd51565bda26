import type { TerminalUser } from '../verdict/evidence.ts';
import { named } from '../verdict/evidence.ts';
import { isTmux } from '../verdict/whose.ts';
import { type PanePlace, type ProcessIndex, paneProcesses } from './pane-processes.ts';
import { isKernelThread, type Process } from './process.ts';

/** The same ending for a check and for a refusal: what is wrong with a process that uses a pane's terminal. */
export const USES_TERMINAL = 'uses its terminal, and nothing else ties it to the session';

/**
 * Processes that may have got a terminal from a pane of a server of this age. Reading what is open costs much, so those are
 * left out that cannot: kernel threads, the dead, tmux itself, and what is older than the server.
 */
export function mayUseTerminals({ byPid }: ProcessIndex, server: { readonly startTicks: number }): Process[] {
  return [...byPid.values()].filter(
    (process) =>
      process.pid > 1 &&
      !isKernelThread(process, byPid) &&
      process.startTicks >= server.startTicks &&
      process.state !== 'Z' &&
      !isTmux(process),
  );
}

/** Everything that is tied to one of these panes by its tree, its terminal session or its mark, by pid. */
export function tiedTo(
  panes: readonly (PanePlace & { readonly marked: readonly Process[] })[],
  index: ProcessIndex,
): ReadonlySet<number> {
  return new Set(
    panes.flatMap((pane) => paneProcesses(pane, index, pane.marked).map(({ process }) => process.pid)),
  );
}

/** Several of them for a person. */
export function listedUsers(users: readonly Pick<TerminalUser, 'program' | 'pid'>[]): string {
  const [first, ...more] = users.map(named);
  return more.length > 0 ? `${first} and ${more.length} more` : `${first}`;
}
