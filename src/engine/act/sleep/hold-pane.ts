import type { JsonObject } from '../../../core/ledger/json.ts';
import type { PaneTarget } from '../../../ports/actuator.ts';
import type { Subject } from '../close/look-at.ts';
import type { Ready } from '../close/make-ready.ts';
import { livingOf } from '../close/processes.ts';
import type { ClimbEnd } from '../close/taken.ts';
import type { Hands } from '../hands.ts';
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
  if (pane !== null && livingOf(hands, agents).length > 0) {
    await hands.tmux.setEnd(pane, sleep.end);
  }
}

function paneOf({ target }: Subject, { panes }: Ready['sight'], { paneId }: SleepPlan): PaneTarget | null {
  const pane = panes.find((one) => one.paneId === paneId);
  return pane === undefined ? null : { session: target, paneId, pid: pane.pid };
}

/** What recovery needs to know of a plan. */
export function sleepBody({ end, resume, ...plan }: SleepPlan): JsonObject {
  return { ...plan, resume, end: { ...end } };
}
