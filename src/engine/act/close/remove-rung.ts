import { bornSince, newcomers } from '../../../core/close/closing-pane.ts';
import { nextRung } from '../../../core/close/ladder.ts';
import { isEndHook } from '../../../core/memory/ended.ts';
import { indexProcesses } from '../../../core/sight/pane-processes.ts';
import { commonName } from '../../../core/sight/process.ts';
import { isGone, type Roll } from '../../../core/sight/roll.ts';
import { jobsOfServer, RUN_BY_SERVER } from '../../../core/sight/server-jobs.ts';
import { named, type ProcessNote } from '../../../core/verdict/evidence.ts';
import type { Acted } from '../../../ports/actuator.ts';
import { argvOf } from '../../look/terminal-facts.ts';
import type { Hands } from '../hands.ts';
import { keepLastScreens } from './archive-session.ts';
import type { Subject } from './look-at.ts';
import { inOneStep, setAside } from './one-step.ts';
import { untilGone } from './processes.ts';
import {
  type Climb,
  DONE,
  ended,
  type JudgedSession,
  late,
  type Over,
  type RungOutcome,
  withheld,
} from './taken.ts';
import { type Known, terminalInUse } from './terminal-holders.ts';

/**
 * Why the last session of a server must not be removed now: the server would end, and with it what the server itself runs. Null
 * where it is not the last session, or the server runs nothing.
 */
function serverAtWork(
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
  const [first] = jobsOfServer(indexProcesses(byPid), server, seen, processes.readersAmong).filter(
    (job) => !isListed(job) && !isEndHook(argvOf(job, processes)),
  );
  return first === undefined ? null : `${commonName(first)} (pid ${first.pid}) ${RUN_BY_SERVER}`;
}

/** Removes the session, once nothing runs in it. */
export async function remove(
  climbing: Climb,
  { panes: seen, stance, tried }: JudgedSession,
  over: Over,
): Promise<RungOutcome> {
  const { hands, subject, footing, wish, step, id, digests, notes } = climbing;
  const { isListed } = climbing.belongings;
  // Whatever the exit started may still write to the terminal that goes with the session.
  const born = bornSince(seen, isListed);
  if (born.length > 0) return outlive(climbing, born, over);
  // After the stance and before the act: whatever is printed later is found by tmux, and kept the next time.
  const going = seen.filter(({ isShared }) => !isShared);
  const missing = await keepLastScreens(hands, subject, { panes: going, archiveId: id, digests });
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
  if (acted.state === 'changed') return ended('aborted', acted.text, over);
  over(acted.state, acted.state === 'done' ? 'tmux removed it' : acted.text);
  return DONE;
}

/** Waits for what the agent started on its way out. */
export async function outlive(
  climbing: Climb,
  born: readonly ProcessNote[],
  over: Over,
): Promise<RungOutcome> {
  const { hands, timings, patience } = climbing;
  const left = await untilGone(hands, born, patience.within(timings.lateMs), timings);
  const text = `${(left.length > 0 ? left : born).map(named).join(', ')} began while it was closed`;
  if (left.length === 0) return { state: 'again', text };
  if (!patience.isOver()) return ended('aborted', `${text}, and still runs`, over);
  over('failed', `${text}, and still runs`);
  return late(text);
}
