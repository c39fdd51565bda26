import { isTmux } from '../verdict/whose.ts';
import type { ProcessIndex } from './pane-processes.ts';
import type { Process } from './process.ts';

/** What a server has, beside its panes' own processes. */
export interface ServerPanes {
  readonly pids: ReadonlySet<number>;
  /** How many of them have a program that reads what they show, or writes into them (`pipe-pane`). */
  readonly pipes: number;
}

/**
 * What a tmux server runs itself, beside its panes: `run-shell -b`, programs of the status line, `pipe-pane`. It ends with
 * the server, and the server ends with its last session. What only reads what panes show ends with them by itself; a job
 * that writes to a file looks the same, so there must not be more such programs than pipes.
 */
export function jobsOfServer(
  { byParent }: Pick<ProcessIndex, 'byParent'>,
  server: { readonly pid: number },
  { pids, pipes }: ServerPanes,
  readersAmong: (processes: readonly Process[]) => ReadonlySet<number>,
): Process[] {
  const all = (byParent.get(server.pid) ?? []).filter(
    (process) => !pids.has(process.pid) && process.state !== 'Z' && !isTmux(process),
  );
  if (pipes === 0 || all.length === 0) return all;
  const readers = readersAmong(all);
  return readers.size > pipes ? all : all.filter(({ pid }) => !readers.has(pid));
}

/** What is wrong with such a process when the session goes. */
export const RUN_BY_SERVER = 'is run by its tmux server, and would end with it';
