import { outlivedBy, type Sighted } from '../../../core/close/outlived.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import { processKey } from '../../../core/identity.ts';
import type { SessionEntry } from '../../../core/roll.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import type { ReopenResult } from './order.ts';

/**
 * Why no agent may be started: one that no tmux session shows is still at it. A program that ignores the end of its terminal
 * outlives its session, and whoever resumes by hand may do so outside of tmux.
 */
export function outlived(
  hands: Hands,
  { key, agent }: Reopening,
  sessions: readonly SessionEntry[],
): Extract<ReopenResult, { state: 'outlived' }> | null {
  if (agent === null) return null;
  const run = factsOf(hands, { key })?.origin?.run ?? null;
  const sought = { run, conversation: agent.conversation };
  const pids = outlivedBy(agentsOutside(hands, agent.kind, sessions), sought).map(
    ({ process }) => process.pid,
  );
  return pids.length === 0 ? null : { state: 'outlived', kind: agent.kind, pids };
}

/** Those of this user that no session shows: what is in one was looked at there. */
function agentsOutside(
  { agents, processes, owners }: Hands,
  kind: string,
  sessions: readonly SessionEntry[],
): Sighted[] {
  const adapter = agents.find((one) => one.kind === kind);
  const shown = new Set(
    sessions.flatMap(({ evidence }) =>
      evidence.flatMap((one) => (one.kind === 'processes' ? one.processes.map(processKey) : [])),
    ),
  );
  const all = [...processes.sense().byPid.values()].filter((one) => !shown.has(processKey(one)));
  const uids = owners.uids(all);
  const own = all.filter(({ pid }) => uids.get(pid) === owners.own);
  const details = processes.details(own, { io: false, memory: false });
  return own.flatMap((process) => {
    const known = details.get(process.pid);
    if (known === undefined || !adapter?.recognises(known.argv)) return [];
    return [{ process, details: known, run: processes.environment(process)?.ROLLCALL_RUN ?? null }];
  });
}
