import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import { runningItself } from '../../../core/close/closing-pane.ts';
import type { CloseWish } from '../../../core/close/decide.ts';
import type { Footing } from '../../../core/close/guard.ts';
import { objectionTo } from '../../../core/close/guard.ts';
import type { Rung } from '../../../core/close/ladder.ts';
import { named, nextRung } from '../../../core/close/ladder.ts';
import type { RungReport } from '../../../core/close/receipt.ts';
import type { Roll } from '../../../core/roll.ts';
import type { Hands } from '../hands.ts';
import { askToLeave, chainOf } from './ask.ts';
import type { Belongings } from './belongings.ts';
import { lookAt, type Sight, type Subject } from './look-at.ts';
import { killAll, livingOf, type Mark, terminateAll, untilGone } from './processes.ts';
import type { DoStep } from './steps.ts';
import { movedPanes } from './sweep.ts';
import type { CloseTimings } from './timings.ts';
import { whomToEnd } from './whom-to-end.ts';

/** A close on its way. */
export interface Climb {
  readonly hands: Hands;
  readonly subject: Subject;
  readonly wish: CloseWish;
  readonly footing: Footing;
  readonly timings: CloseTimings;
  readonly step: DoStep;
  /** All that may be signalled. */
  readonly belongings: Belongings;
  /** Told when a rung begins; the returned function when it is over. */
  begin(rung: Rung): (result: RungReport['result'], text: string) => void;
}

export type ClimbEnd =
  | { readonly state: 'gone'; readonly roll: Roll }
  /** Something changed: the session stands, and nothing more is done. */
  | { readonly state: 'aborted'; readonly text: string }
  | { readonly state: 'failed'; readonly text: string };

/** Climbs rung by rung until the session is gone. Before each there is a fresh look, and any change ends the climb. */
export async function climb(climbing: Climb): Promise<ClimbEnd> {
  const tried = new Set<Rung>();
  let actedAt = 0;
  for (;;) {
    const sight = await lookAt(climbing.hands, climbing.subject);
    const end = endOf(climbing, sight, tried);
    if (end?.state === 'gone') return end;
    if (end !== null) {
      // What was just ended leaves tmux, and the shell behind it, a moment to come to rest.
      const isSettled = climbing.hands.now() - actedAt >= climbing.timings.settleMs;
      if (isSettled) return end;
      await climbing.hands.wait(climbing.timings.pollMs);
      continue;
    }
    const { panes } = sight as Extract<Sight, { state: 'there' }>;
    const { rung } = nextRung(panes, tried, climbing.wish) as { readonly rung: Exclude<Rung, 'sweep'> };
    tried.add(rung);
    const stopped = await takeRung(rung, climbing, panes);
    if (stopped !== null) return stopped;
    actedAt = climbing.hands.now();
  }
}

/** Why the climb ends here; null where it goes on. */
function endOf({ subject, footing, wish }: Climb, sight: Sight, tried: ReadonlySet<Rung>): ClimbEnd | null {
  const [moved] = movedPanes(
    subject,
    footing.panes.map(({ paneId }) => paneId),
    sight.roll,
  );
  const isOwnOnly = !footing.waived.has('windows-own');
  if (moved !== undefined && isOwnOnly) {
    return { state: 'aborted', text: `pane ${moved.paneId} was moved to session ${moved.session}` };
  }
  if (sight.state === 'gone') return { state: 'gone', roll: sight.roll };
  if (sight.state === 'unknown') return { state: 'failed', text: sight.text };
  const objection = objectionTo(sight.entry, footing);
  if (objection !== null) return { state: 'aborted', text: objection };
  const next = nextRung(sight.panes, tried, wish);
  return next.rung === 'stuck' ? { state: 'failed', text: next.text } : null;
}

async function takeRung(
  rung: Exclude<Rung, 'sweep'>,
  climbing: Climb,
  panes: readonly ClosingPane[],
): Promise<ClimbEnd | null> {
  const over = climbing.begin(rung);
  switch (rung) {
    case 'ask':
      return ask(climbing, panes, over);
    case 'terminate':
      return terminate(climbing, panes, over);
    case 'kill':
      return kill(climbing, panes, over);
    case 'remove':
      return remove(climbing, panes, over);
  }
}

type Over = ReturnType<Climb['begin']>;

async function ask(climbing: Climb, panes: readonly ClosingPane[], over: Over): Promise<ClimbEnd | null> {
  const asked = await Promise.all(
    panes.filter((pane) => !pane.isShared && pane.agent !== null).map((pane) => askToLeave(climbing, pane)),
  );
  const text = asked.map((one) => one.text).join('; ');
  const disturbed = asked.find(({ state }) => state === 'disturbed');
  if (disturbed !== undefined) {
    over('failed', text);
    return { state: 'aborted', text: disturbed.text };
  }
  const isAnswered = asked.every(({ state }) => state === 'left');
  const isSkipped = asked.every(({ state }) => state === 'skipped');
  over(isAnswered ? 'done' : isSkipped ? 'skipped' : 'unanswered', text);
  return null;
}

async function terminate(
  climbing: Climb,
  panes: readonly ClosingPane[],
  over: Over,
): Promise<ClimbEnd | null> {
  const { hands, wish, timings, step, belongings } = climbing;
  const first = whomToEnd(hands, panes, wish.isForced, belongings);
  // A launcher ends with what it launched, and is asked itself only where it does not.
  const chain = panes
    .filter((pane) => !pane.isShared)
    .flatMap(chainOf)
    .filter(belongings.mayEnd);
  const all = [...new Set([...first, ...chain])];
  const { refused, left } = await step('terminate', async () => {
    const refused = terminateAll(hands, first);
    let left = await untilGone(hands, all, timings.terminateMs, timings);
    const launchers = left.filter((one) => !first.includes(one));
    if (launchers.length > 0 && launchers.length === left.length) {
      refused.push(...terminateAll(hands, launchers));
      left = await untilGone(hands, left, timings.terminateMs, timings);
    }
    return { refused, left };
  });
  over(left.length === 0 ? 'done' : 'unanswered', report('SIGTERM', all, left, refused));
  return null;
}

async function kill(climbing: Climb, panes: readonly ClosingPane[], over: Over): Promise<ClimbEnd | null> {
  const { hands, timings, step, belongings } = climbing;
  const all = panes
    .filter((pane) => !pane.isShared)
    .flatMap(runningItself)
    .filter(belongings.mayEnd);
  const { refused, left } = await step('kill', async () => {
    const refused = killAll(hands, livingOf(hands, all));
    return { refused, left: await untilGone(hands, all, timings.killMs, timings) };
  });
  over(left.length === 0 ? 'done' : 'failed', report('SIGKILL', all, left, refused));
  return null;
}

async function remove(climbing: Climb, panes: readonly ClosingPane[], over: Over): Promise<ClimbEnd | null> {
  const { hands, subject, step } = climbing;
  const exact = panes.map(({ paneId, pid }) => ({ paneId, pid }));
  const removed = await step('remove', () => hands.tmux.removeSession(subject.target, exact));
  if (removed.state === 'done') over('done', 'tmux removed it');
  else over('failed', removed.text);
  return removed.state === 'changed' ? { state: 'aborted', text: removed.text } : null;
}

function report(
  signal: string,
  all: readonly (Mark & { readonly program: string })[],
  left: readonly (Mark & { readonly program: string })[],
  refused: readonly string[],
): string {
  const ended = all.filter((one) => !left.includes(one)).map(named);
  return [
    ...(ended.length > 0 ? [`${ended.join(', ')} ended on ${signal}`] : []),
    ...(left.length > 0 ? [`${left.map(named).join(', ')} did not`] : []),
    ...refused,
  ].join('; ');
}
