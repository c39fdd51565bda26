import type { ProcessIndex } from './pane-processes.ts';
import type { Process } from './process.ts';
import { isTmux } from './whose.ts';

/**
 * What a tmux server runs itself, beside its panes: `run-shell -b`, `pipe-pane`, programs of the status line. It ends with
 * the server, and the server ends with its last session.
 */
export function jobsOfServer(
  { byParent }: Pick<ProcessIndex, 'byParent'>,
  server: { readonly pid: number },
  panePids: ReadonlySet<number>,
): Process[] {
  return (byParent.get(server.pid) ?? []).filter(
    (process) => !panePids.has(process.pid) && process.state !== 'Z' && !isTmux(process),
  );
}

/** What is wrong with such a process when the session goes. */
export const RUN_BY_SERVER = 'is run by its tmux server, and would end with it';
