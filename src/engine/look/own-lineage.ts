import type { ProcessTable } from '../../core/sight/process.ts';
import type { PaneLook } from './read-pane.ts';

/** Whether a pane holds this very process, or one above it. */
export type HoldsOwn = (pane: Pick<PaneLook, 'sighting' | 'processes'>) => boolean;

/**
 * Tells by ancestry where rollcall itself runs: variables can be taken away, the processes above it cannot. What left a
 * pane's tree (the same terminal session, or the pane's mark in its environment) still counts as the pane's, because
 * closing that session would end it too. Init is everybody's ancestor.
 */
export function holdsOwn({ byPid }: ProcessTable, ownPid: number): HoldsOwn {
  const own = new Map<number, number>();
  for (
    let at = byPid.get(ownPid);
    at !== undefined && at.pid > 1 && !own.has(at.pid);
    at = byPid.get(at.ppid)
  ) {
    own.set(at.pid, at.startTicks);
  }
  return ({ sighting, processes }) =>
    sighting.pid > 1 && processes.some(({ pid, startTicks }) => own.get(pid) === startTicks);
}
