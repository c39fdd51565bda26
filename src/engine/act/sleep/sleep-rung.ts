import { bornSince, newcomers } from '../../../core/close/closing-pane.ts';
import { nextRung } from '../../../core/close/ladder.ts';
import type { Sleeper } from '../../../core/sleep/asleep.ts';
import { named } from '../../../core/verdict/evidence.ts';
import type { StartedInPane } from '../../../ports/actuator.ts';
import { keepLastScreens } from '../close/archive-session.ts';
import { inOneStep, setAside } from '../close/one-step.ts';
import { outlive } from '../close/remove-rung.ts';
import {
  type Climb,
  ended,
  type JudgedSession,
  type Over,
  type RungOutcome,
  withheld,
} from '../close/taken.ts';
import { terminalInUse } from '../close/terminal-holders.ts';
import { Undecided } from '../deed.ts';
import { factsOf } from '../hands.ts';
import type { SleepPlan } from './plan-sleep.ts';
import { findSleeper, sleeperOf, sleeperWish } from './sleeper.ts';

/** Puts the sleeper into the pane of the agent that has left, once nothing runs in that pane any more. */
export async function layToSleep(
  climbing: Climb,
  { panes: seen, stance, tried }: JudgedSession,
  over: Over,
): Promise<RungOutcome> {
  const { hands, subject, footing, wish, step, id, digests, notes } = climbing;
  const { isListed } = climbing.belongings;
  const sleep = climbing.sleep as SleepPlan;
  const own = seen.filter(({ paneId }) => paneId === sleep.paneId);
  const [pane] = own;
  if (pane === undefined) return ended('aborted', `pane ${sleep.paneId} is gone`, over);
  // Whatever the exit started may still write to the terminal that goes with the pane's process.
  const born = bornSince(own, isListed);
  if (born.length > 0) return outlive(climbing, born, over);
  const missing = await keepLastScreens(hands, subject, { panes: own, archiveId: id, digests });
  notes.splice(0, notes.length, ...missing);
  const target = { session: subject.target, paneId: pane.paneId, pid: pane.pid };
  const put = await inOneStep(climbing, 'brief', async ({ panes }): Promise<StartedInPane> => {
    const now = panes.filter(({ paneId }) => paneId === sleep.paneId);
    const [began] = [...newcomers(now, isListed), ...bornSince(now, isListed)];
    if (began !== undefined) return { state: 'changed', text: `${named(began)} began while its agent left` };
    const strange = terminalInUse(hands, subject.target.server, now, { isForced: false, isListed });
    if (strange !== null) return { state: 'changed', text: strange };
    // Something may run by now that has not written anything.
    if (nextRung(panes, tried, wish).rung !== 'sleep') {
      return { state: 'stirred', text: 'something began to run in it' };
    }
    const sign = { ...sleep, receipt: id, session: subject.name, at: hands.now() };
    // It waits elsewhere where its folder went just now.
    const cwd = (await hands.isFolder(sleep.cwd)) ? sleep.cwd : '/';
    const sleeper = { ...sleeperWish(hands, sign, factsOf(hands, subject)?.claims ?? null), cwd };
    return step('sleep', () => hands.tmux.startInPane(target, sleeper, { stance, aside: setAside(footing) }));
  });
  if (put.state !== 'stepped') return withheld(put, over);
  const started = put.value;
  if (started.state === 'stirred') return { state: 'again', text: started.text };
  if (started.state === 'changed') return ended('aborted', started.text, over);
  if (started.state === 'started') return asleep(sleeperOf(hands, started), over);
  // No answer is not a no: the sleeper may be there all the same.
  const found = await findSleeper(hands, subject, { paneId: sleep.paneId, receipt: id });
  if (found.state === 'found') return asleep(found.sleeper, over);
  if (found.state === 'unknown') throw new Undecided(started.text);
  return ended('failed', started.text, over);
}

function asleep(sleeper: Sleeper, over: Over): RungOutcome {
  over('done', `its sleeper waits in ${sleeper.paneId} (pid ${sleeper.pid})`);
  return { state: 'over', end: { state: 'asleep', sleeper } };
}
