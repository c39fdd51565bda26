import { isEndHook } from '../../../core/ended.ts';
import { indexProcesses } from '../../../core/pane-processes.ts';
import type { Process } from '../../../core/process.ts';
import { isGone, type Roll } from '../../../core/roll.ts';
import { jobsOfServer, RUN_BY_SERVER } from '../../../core/server-jobs.ts';
import type { Hands } from '../hands.ts';
import type { Subject } from './look-at.ts';
import type { Known } from './terminal-holders.ts';

/**
 * Why the last session of a server must not be removed right now; null where it is not the last one, or the server runs
 * nothing of its own that would end with it.
 */
export function serverAtWork(
  { processes }: { readonly processes: Pick<Hands['processes'], 'sense' | 'details' | 'readersAmong'> },
  { target: { server }, key }: Pick<Subject, 'target' | 'key'>,
  { sessions }: Pick<Roll, 'sessions'>,
  { isForced, isListed }: Known,
): string | null {
  const own = sessions.filter((entry) => entry.server.pid === server.pid && !isGone(entry));
  if (own.some((entry) => entry.key !== key)) return null;
  const seen = {
    pids: new Set(own.flatMap(({ panes }) => panes.map(({ pid }) => pid))),
    pipes: own.flatMap(({ evidence }) => evidence.filter((one) => one.kind === 'pane' && one.isPiped)).length,
  };
  const { byPid, isComplete } = processes.sense();
  // What could not be read may be a job.
  if (!isComplete && !isForced) return 'what its tmux server runs cannot be told';
  const argvOf = (job: Process) => processes.details([job], NO_MORE).get(job.pid)?.argv ?? [];
  const [first] = jobsOfServer(indexProcesses(byPid), server, seen, processes.readersAmong).filter(
    (job) => !isListed(job) && !isEndHook(argvOf(job)),
  );
  return first === undefined ? null : `${first.comm} (pid ${first.pid}) ${RUN_BY_SERVER}`;
}

const NO_MORE = { io: false, memory: false, cwd: false };
