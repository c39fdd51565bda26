import { named, nextRung } from '../../../core/close/ladder.ts';
import { bornSince, newcomers } from '../../../core/close/newcomers.ts';
import type { ProcessNote } from '../../../core/evidence.ts';
import type { Acted } from '../../../ports/actuator.ts';
import { keepLastScreens } from './last-screens.ts';
import { inOneStep, setAside } from './one-step.ts';
import { untilGone } from './processes.ts';
import { serverAtWork } from './server-jobs.ts';
import { type Climb, DONE, type Judged, late, type Over, type Taken, withheld } from './taken.ts';
import { terminalInUse } from './terminal-holders.ts';

/** Removes the session, once nothing runs in it. */
export async function remove(
  climbing: Climb,
  { panes: seen, stance, tried }: Judged,
  over: Over,
): Promise<Taken> {
  const { hands, subject, footing, wish, step, archiveId, digests, notes } = climbing;
  const { isListed } = climbing.belongings;
  // Whatever the exit started may still write to the terminal that goes with the session.
  const born = bornSince(seen, isListed);
  if (born.length > 0) return outlive(climbing, born, over);
  // After the stance and before the act: whatever is printed later is found by tmux, and kept the next time.
  const going = seen.filter(({ isShared }) => !isShared);
  const missing = await keepLastScreens(hands, subject, { panes: going, archiveId, digests });
  notes.splice(0, notes.length, ...missing);
  const removed = await inOneStep(climbing, 'brief', async ({ panes, roll }): Promise<Acted> => {
    // tmux hangs up whatever runs in it, also what was not listed.
    const [began] = [...newcomers(panes, isListed), ...bornSince(panes, isListed)];
    if (began !== undefined) return { state: 'changed', text: `${named(began)} began while it was closed` };
    const { isForced } = wish;
    const strange = terminalInUse(hands, subject.target.server, panes, { isForced, isListed });
    if (strange !== null) return { state: 'changed', text: strange };
    // Much of what a server runs is over in a moment.
    const atWork = serverAtWork(hands, subject, roll, { isForced, isListed });
    if (atWork !== null) return { state: 'stirred', text: atWork };
    // Something may run by now that has not written anything.
    const next = nextRung(panes, tried, wish);
    if (next.rung !== 'remove') return { state: 'stirred', text: 'something began to run in it' };
    return step('remove', () => hands.tmux.removeSession({ stance, aside: setAside(footing) }));
  });
  if (removed.state !== 'stepped') return withheld(removed, over);
  const acted = removed.value;
  if (acted.state === 'stirred') return { state: 'again', text: acted.text };
  over(acted.state === 'done' ? 'done' : 'failed', acted.state === 'done' ? 'tmux removed it' : acted.text);
  return acted.state === 'changed' ? { state: 'over', end: { state: 'aborted', text: acted.text } } : DONE;
}

/** Gives what the exit itself started its time. */
export async function outlive(climbing: Climb, born: readonly ProcessNote[], over: Over): Promise<Taken> {
  const { hands, timings, patience } = climbing;
  const left = await untilGone(hands, born, patience.within(timings.lateMs), timings);
  const text = `${(left.length > 0 ? left : born).map(named).join(', ')} began while it was closed`;
  if (left.length === 0) return { state: 'again', text };
  over('failed', `${text}, and still runs`);
  if (patience.isOver()) return late(text);
  return { state: 'over', end: { state: 'aborted', text: `${text}, and still runs` } };
}
