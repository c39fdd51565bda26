import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import { runningItself } from '../../../core/close/closing-pane.ts';
import type { CloseWish } from '../../../core/close/decide.ts';
import type { Rung } from '../../../core/close/ladder.ts';
import { named, nextRung } from '../../../core/close/ladder.ts';
import { bornSince, newcomers } from '../../../core/close/newcomers.ts';
import type { RungReport } from '../../../core/close/receipt.ts';
import { shownIn } from '../../../core/close/typed.ts';
import type { ProcessNote } from '../../../core/evidence.ts';
import type { Roll, SessionEntry } from '../../../core/roll.ts';
import type { Acted, ProcessMark, Stance } from '../../../ports/actuator.ts';
import { askToLeave, chainOf } from './ask.ts';
import type { Belongings } from './belongings.ts';
import { keepLastScreens } from './last-screens.ts';
import { inOneStep, type Stepping, setAside, type Withheld } from './one-step.ts';
import { signalIf, untilGone } from './processes.ts';
import { serverAtWork } from './server-jobs.ts';
import type { DoStep } from './steps.ts';
import { terminalInUse } from './terminal-holders.ts';
import type { CloseTimings } from './timings.ts';
import { whomToEnd } from './whom-to-end.ts';

/** A close on its way. */
export interface Climb extends Stepping {
  readonly wish: CloseWish;
  readonly timings: CloseTimings;
  readonly step: DoStep;
  /** All that may be signalled. */
  readonly belongings: Belongings;
  /** What was kept before the first rung; more is added before the last one. */
  readonly archiveId: string;
  /** Of every file of it. */
  readonly digests: Map<string, string>;
  /** What the receipt has to tell. */
  readonly notes: string[];
  /** Told when a rung begins; the returned function when it is over. */
  begin(rung: Rung): Over;
  /** Why it is not as it was when it was decided, by a look that began at `askedMs`; asked until something was done. */
  moved(now: { readonly entry: SessionEntry; readonly askedMs: number }): Promise<string | null>;
}

export type Over = (result: RungReport['result'], text: string) => void;

export type ClimbEnd =
  | { readonly state: 'gone'; readonly roll: Roll }
  /** Something changed: the session stands, and nothing more is done. */
  | {
      readonly state: 'aborted';
      readonly text: string;
      /** Nothing was done: it moved since it was decided. */
      readonly isBeforeFirst?: boolean;
    }
  /** The time is over: the same. */
  | { readonly state: 'timed-out'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string };

/** What came of a rung. */
export type Taken =
  | {
      readonly state: 'done';
      /** Something was typed, signalled or removed. */
      readonly hasActed: boolean;
    }
  /** Nothing was done, because it moved; it has to be judged anew. */
  | { readonly state: 'again'; readonly text: string }
  /** Nothing was done, because the last look objects. */
  | { readonly state: 'objected'; readonly text: string }
  | { readonly state: 'over'; readonly end: ClimbEnd };

/** A session as it was judged just now. */
export interface Judged {
  readonly entry: SessionEntry;
  readonly panes: readonly ClosingPane[];
  /** How it stood before it was judged. */
  readonly stance: Stance;
  readonly tried: ReadonlySet<Rung>;
  /** Panes whose agents were asked to leave. */
  readonly asked: Set<string>;
}

/** Takes one rung on what was judged. */
export function takeRung(
  rung: Exclude<Rung, 'sweep'>,
  climbing: Climb,
  judged: Judged,
  over: Over,
): Promise<Taken> {
  switch (rung) {
    case 'ask':
      return ask(climbing, judged, over);
    case 'terminate':
      return terminate(climbing, judged, over);
    case 'kill':
      return kill(climbing, judged, over);
    case 'remove':
      return remove(climbing, judged, over);
  }
}

const DONE: Taken = { state: 'done', hasActed: true };
const SKIPPED: Taken = { state: 'done', hasActed: false };

// One agent at a time: what the first says on its way out would speak against asking the next.
async function ask(climbing: Climb, { entry, panes, stance, asked }: Judged, over: Over): Promise<Taken> {
  const pane = panes.find((one) => !one.isShared && one.agent !== null && !asked.has(one.paneId));
  if (pane === undefined) return SKIPPED;
  const answer = await askToLeave(climbing, { pane, stance, shown: shownIn(entry, pane.paneId) });
  switch (answer.state) {
    case 'left':
    case 'skipped':
    case 'stayed':
      asked.add(pane.paneId);
      over(OF_ASKING[answer.state], answer.text);
      return answer.state === 'skipped' ? SKIPPED : DONE;
    case 'stirred':
      return { state: 'again', text: answer.text };
    case 'disturbed':
      over('failed', answer.text);
      return { state: 'over', end: { state: 'aborted', text: answer.text } };
    default:
      return withheld(answer, over);
  }
}

const OF_ASKING = { left: 'done', skipped: 'skipped', stayed: 'unanswered' } as const;

async function terminate(climbing: Climb, { panes, stance }: Judged, over: Over): Promise<Taken> {
  const { hands, subject, wish, timings, patience, belongings } = climbing;
  const first = whomToEnd(hands, panes, wish.isForced, belongings);
  // A launcher ends with what it launched, and is asked itself only where it does not.
  const chain = panes
    .filter((pane) => !pane.isShared)
    .flatMap(chainOf)
    .filter(belongings.mayEnd);
  const all = [...new Set([...first, ...chain])];
  const wait = (marks: readonly ProcessNote[]) =>
    untilGone(hands, marks, patience.within(timings.terminateMs), timings);
  const sent = await signal(climbing, 'terminate', stance, first);
  if (sent.state !== 'sent') return sent.state === 'withheld' ? withheld(sent.why, over) : sent;
  const { refused } = sent;
  let left = await wait(all);
  const launchers = left.filter((one) => !first.includes(one));
  if (launchers.length > 0 && launchers.length === left.length && !patience.isOver()) {
    const now = await hands.tmux.stance(subject.target);
    const more = now.state === 'seen' ? await signal(climbing, 'terminate', now.stance, launchers) : null;
    if (more?.state === 'withheld' && more.why.state !== 'objected') return withheld(more.why, over);
    if (more?.state === 'sent') {
      refused.push(...more.refused);
      left = await wait(left);
    }
  }
  const text = report('SIGTERM', all, left, refused);
  over(left.length === 0 ? 'done' : 'unanswered', text);
  if (left.length > 0 && patience.isOver()) return late(text);
  return first.length > 0 ? DONE : SKIPPED;
}

async function kill(climbing: Climb, { panes, stance }: Judged, over: Over): Promise<Taken> {
  const { hands, timings, patience, belongings } = climbing;
  const all = panes
    .filter((pane) => !pane.isShared)
    .flatMap(runningItself)
    .filter(belongings.mayEnd);
  const sent = await signal(climbing, 'kill', stance, all);
  if (sent.state !== 'sent') return sent.state === 'withheld' ? withheld(sent.why, over) : sent;
  const left = await untilGone(hands, all, patience.within(timings.killMs), timings);
  const text = report('SIGKILL', all, left, sent.refused);
  over(left.length === 0 ? 'done' : 'failed', text);
  if (left.length > 0 && patience.isOver()) return late(text);
  return all.length > 0 ? DONE : SKIPPED;
}

async function remove(climbing: Climb, { panes: seen, stance, tried }: Judged, over: Over): Promise<Taken> {
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

async function outlive(climbing: Climb, born: readonly ProcessNote[], over: Over): Promise<Taken> {
  const { hands, timings, patience } = climbing;
  const left = await untilGone(hands, born, patience.within(timings.lateMs), timings);
  const text = `${(left.length > 0 ? left : born).map(named).join(', ')} began while it was closed`;
  if (left.length === 0) return { state: 'again', text };
  over('failed', `${text}, and still runs`);
  if (patience.isOver()) return late(text);
  return { state: 'over', end: { state: 'aborted', text: `${text}, and still runs` } };
}

type Signalled =
  | { readonly state: 'sent'; readonly refused: string[] }
  | { readonly state: 'withheld'; readonly why: Withheld }
  | Exclude<Taken, { state: 'done' }>;

const SIGNALS = { terminate: 'SIGTERM', kill: 'SIGKILL' } as const;

async function signal(
  climbing: Climb,
  name: keyof typeof SIGNALS,
  stance: Stance,
  marks: readonly ProcessMark[],
): Promise<Signalled> {
  const { hands, footing, step } = climbing;
  const sent = await inOneStep(climbing, 'brief', async (): Promise<Signalled> => {
    const terms = { stance, aside: setAside(footing) };
    const acted = await step(name, () => signalIf(hands, terms, marks, SIGNALS[name]));
    if (acted.state === 'done') return { state: 'sent', refused: acted.refused };
    if (acted.state === 'stirred') return { state: 'again', text: acted.text };
    const state = acted.state === 'changed' ? 'aborted' : 'failed';
    return { state: 'over', end: { state, text: acted.text } };
  });
  return sent.state === 'stepped' ? sent.value : { state: 'withheld', why: sent };
}

/** What an act that was not done means for the climb. */
function withheld(why: Withheld, over: Over): Taken {
  if (why.state === 'objected') return why;
  over('failed', why.text);
  if (why.state === 'late') return late(why.text);
  return { state: 'over', end: { state: why.state === 'kept' ? 'aborted' : 'failed', text: why.text } };
}

function late(text: string): Taken {
  return { state: 'over', end: { state: 'timed-out', text } };
}

function report(
  signal: string,
  all: readonly ProcessNote[],
  left: readonly ProcessNote[],
  refused: readonly string[],
): string {
  const ended = all.filter((one) => !left.includes(one)).map(named);
  return [
    ...(ended.length > 0 ? [`${ended.join(', ')} ended on ${signal}`] : []),
    ...(left.length > 0 ? [`${left.map(named).join(', ')} did not`] : []),
    ...refused,
  ].join('; ');
}
