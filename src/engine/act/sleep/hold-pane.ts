import type { JsonObject } from '../../../core/ledger/json.ts';
import { isSameProcess, type ServerIdentity } from '../../../core/sight/identity.ts';
import { isGone, type Roll } from '../../../core/sight/roll.ts';
import type { PaneTarget } from '../../../ports/actuator.ts';
import type { Subject } from '../close/look-at.ts';
import type { Ready } from '../close/make-ready.ts';
import { livingOf } from '../close/processes.ts';
import type { ClimbEnd } from '../close/taken.ts';
import type { Hands } from '../hands.ts';
import { targetOf } from '../run-find.ts';
import type { SleepPlan } from './plan-sleep.ts';

type Stopped = Extract<ClimbEnd, { state: 'aborted' | 'failed' }>;

/**
 * Has the pane stay when its agent leaves. Otherwise it would go with the agent, the session with its last pane, and the
 * server with its last session. Null when that is done.
 */
export async function holdPane(
  hands: Hands,
  subject: Subject,
  { sight }: Pick<Ready, 'sight'>,
  sleep: SleepPlan,
): Promise<Stopped | null> {
  const pane = paneOf(subject, sight, sleep);
  if (pane === null) return { state: 'aborted', text: `pane ${sleep.paneId} is gone` };
  const held = await hands.tmux.setEnd(pane, 'held');
  if (held.state === 'done') return null;
  return { state: held.state === 'failed' ? 'failed' : 'aborted', text: held.text };
}

/** Puts it back as it was, where the agent did not leave: its end is written down again, and the pane goes with it. */
export async function releasePane(
  hands: Hands,
  subject: Subject,
  { sight }: Pick<Ready, 'sight'>,
  sleep: SleepPlan,
): Promise<void> {
  const pane = paneOf(subject, sight, sleep);
  const agents = sight.panes.flatMap(({ agent }) => agent ?? []);
  if (pane === null || livingOf(hands, agents).length === 0) return;
  const { server } = subject.target;
  const roll = await hands.look({ servers: [server.socketPath], withoutGit: true });
  const there = paneNow(roll, server, pane.paneId)?.pane ?? pane;
  if (there.pid === pane.pid) await hands.tmux.setEnd(there, sleep.end);
}

/** Where a pane is by now: somebody may have moved it into another session, and what was set for it goes with it. */
export function paneNow(
  { sessions }: Pick<Roll, 'sessions'>,
  server: ServerIdentity,
  paneId: string,
): { readonly pane: PaneTarget; readonly isDead: boolean } | null {
  const near = sessions.filter((entry) => !isGone(entry) && isSameProcess(entry.server, server));
  for (const entry of near) {
    const pane = entry.panes.find((one) => one.paneId === paneId);
    if (pane !== undefined) return { pane: targetOf(entry, pane), isDead: pane.isDead };
  }
  return null;
}

function paneOf({ target }: Subject, { panes }: Ready['sight'], { paneId }: SleepPlan): PaneTarget | null {
  const pane = panes.find((one) => one.paneId === paneId);
  return pane === undefined ? null : { session: target, paneId, pid: pane.pid };
}

/** What recovery needs to know of a plan. */
export function sleepBody({ end, resume, ...plan }: SleepPlan): JsonObject {
  return { ...plan, resume, end: { ...end } };
}
