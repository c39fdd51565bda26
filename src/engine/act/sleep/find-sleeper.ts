import { whereaboutsOf } from '../../../core/close/whereabouts.ts';
import type { Sleeper } from '../../../core/sleep/asleep.ts';
import type { PaneTarget } from '../../../ports/actuator.ts';
import type { Subject } from '../close/look-at.ts';
import type { Hands } from '../hands.ts';
import { targetOf } from '../run-find.ts';

/** The process that tmux started in a pane just now. */
export function sleeperOf(
  { processes }: Pick<Hands, 'processes'>,
  { paneId, pid }: Pick<PaneTarget, 'paneId' | 'pid'>,
): Sleeper {
  return { paneId, pid, startTicks: processes.sense().byPid.get(pid)?.startTicks ?? 0 };
}

/** A pane of a session, and the word that its program bears where it is the sought one. */
export interface SoughtPane {
  readonly paneId: string;
  readonly receipt: string;
}

export type FoundSleeper =
  | { readonly state: 'found'; readonly sleeper: Sleeper; readonly isDead: boolean }
  /** Something else is in the pane. */
  | { readonly state: 'other'; readonly pane: PaneTarget; readonly isDead: boolean }
  /** The session is gone, or has no such pane. */
  | { readonly state: 'absent' }
  | { readonly state: 'unknown' };

/** Looks which program a pane has: what bears the word of a receipt or a run was started by it. */
export async function findSleeper(
  hands: Hands,
  { key, target }: Pick<Subject, 'key' | 'target'>,
  { paneId, receipt }: SoughtPane,
): Promise<FoundSleeper> {
  const roll = await hands.look({ servers: [target.server.socketPath], withoutGit: true });
  const where = whereaboutsOf({ key, server: target.server }, roll, hands.processes.sense());
  if (where.state === 'unknown') return { state: 'unknown' };
  const pane = where.state === 'there' ? where.entry.panes.find((one) => one.paneId === paneId) : undefined;
  if (where.state !== 'there' || pane === undefined) return { state: 'absent' };
  const place = targetOf(where.entry, pane);
  const stamped = await hands.tmux.runOf(place);
  if (stamped.state !== 'read') return { state: 'unknown' };
  const { isDead } = pane;
  const other = { state: 'other', pane: place, isDead } as const;
  if (stamped.run !== receipt) return other;
  const sleeper = sleeperOf(hands, place);
  if (isDead) return { state: 'found', sleeper, isDead };
  // The mark of a pane outlives its program: whoever starts another one there has that mark as well.
  const env = hands.processes.environment(sleeper);
  if (env === null) return { state: 'unknown' };
  return env.ROLLCALL_RUN === receipt ? { state: 'found', sleeper, isDead } : other;
}
