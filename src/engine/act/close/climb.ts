import type { ClosingPane } from '../../../core/close/closing-pane.ts';
import { objectionTo } from '../../../core/close/guard.ts';
import { nextRung, type Rung } from '../../../core/close/ladder.ts';
import type { Stance } from '../../../ports/actuator.ts';
import { Undecided } from '../deed.ts';
import { awake } from '../hands.ts';
import { lookAt, type SubjectSight, type There } from './look-at.ts';
import { movedAway } from './one-step.ts';
import { takeRung } from './take-rung.ts';
import type { Climb, ClimbEnd, Over, RungOutcome } from './taken.ts';

/** How far a climb has come. */
interface Way {
  readonly tried: Set<Rung>;
  /** Panes whose agents were asked to leave. */
  readonly asked: Set<string>;
  begun: { readonly rung: Rung; readonly over: Over } | null;
  hasActed: boolean;
}

/**
 * Takes one rung after the other until the session is gone. Before each rung it asks tmux how the session stands, then looks at
 * it afresh; tmux does the act only if the session still stands so. Any change ends the climb. Until the first act is done the
 * session also has to stand as it did when the close was decided.
 */
export async function climb(climbing: Climb): Promise<ClimbEnd> {
  const { hands, subject, timings, patience } = climbing;
  const way: Way = { tried: new Set(), asked: new Set(), begun: null, hasActed: false };
  let actedAt = Number.NEGATIVE_INFINITY;
  let stirredAt: number | null = null;
  for (;;) {
    const stanced = await hands.tmux.stance(subject.target);
    const askedMs = awake(hands);
    const sight = await lookAt(hands, subject, 'again');
    const end = endOf(climbing, sight, way.tried);
    if (end?.state === 'gone') return end;
    // What was just ended leaves tmux, and the shell behind it, a moment to come to rest.
    const isSettled = awake(hands) - actedAt >= timings.settleMs;
    // It may be gone: whoever sees that first writes the receipt.
    const isHidden = sight.state === 'unknown' && way.tried.has('remove');
    if (isHidden && (isSettled || patience.isOver())) throw new Undecided(sight.text);
    if (patience.isOver()) return { state: 'timed-out', text: 'the time was over' };
    if (end !== null && isSettled) return end;
    if (end === null) {
      const { entry, panes } = sight as There;
      const moved = way.hasActed ? null : await climbing.moved({ entry, askedMs });
      if (moved !== null) return { state: 'aborted', text: moved, isBeforeFirst: true };
      const taken: RungOutcome =
        stanced.state === 'seen'
          ? await takeNext(climbing, way, { entry, panes, stance: stanced.stance })
          : { state: 'again', text: stanced.text };
      if (taken.state === 'over') return taken.end;
      if (taken.state === 'objected' && isSettled) return { state: 'aborted', text: taken.text };
      if (taken.state === 'done') {
        actedAt = awake(hands);
        stirredAt = null;
        continue;
      }
      // It moved between the look and the act: judged anew, for as long as that may take to settle.
      stirredAt ??= awake(hands);
      if (awake(hands) - stirredAt >= timings.settleMs) return { state: 'aborted', text: taken.text };
    }
    await hands.wait(timings.pollMs);
  }
}

/** Why the climb ends here; null where it goes on. */
function endOf(
  { subject, footing, wish }: Climb,
  sight: SubjectSight,
  tried: ReadonlySet<Rung>,
): ClimbEnd | null {
  const moved = movedAway(subject, footing, sight);
  if (moved !== null) return { state: 'aborted', text: moved };
  if (sight.state === 'gone') return { state: 'gone', roll: sight.roll };
  if (sight.state === 'unknown') return { state: 'failed', text: sight.text };
  const objection = objectionTo(sight.entry, footing);
  if (objection !== null) return { state: 'aborted', text: objection };
  const next = nextRung(sight.panes, tried, wish);
  return next.rung === 'stuck' ? { state: 'failed', text: next.text } : null;
}

async function takeNext(
  climbing: Climb,
  way: Way,
  judged: Pick<There, 'entry' | 'panes'> & { readonly stance: Stance },
): Promise<RungOutcome> {
  if (!isSamePanes(judged)) return { state: 'again', text: 'its panes are not the same any more' };
  const { tried, asked } = way;
  const { rung } = nextRung(judged.panes, tried, climbing.wish) as { readonly rung: Exclude<Rung, 'sweep'> };
  way.begun = way.begun?.rung === rung ? way.begun : { rung, over: climbing.begin(rung) };
  const taken = await takeRung[rung](climbing, { ...judged, tried, asked }, way.begun.over);
  if (taken.state !== 'done') return taken;
  way.begun = null;
  way.hasActed ||= taken.hasActed;
  const isAskedOf = (pane: ClosingPane) => pane.isShared || pane.agent === null || asked.has(pane.paneId);
  if (rung !== 'ask' || judged.panes.every(isAskedOf)) tried.add(rung);
  return taken;
}

// What stood there before the look, and what the look saw.
function isSamePanes({ stance, panes }: { stance: Stance; panes: readonly ClosingPane[] }): boolean {
  const seen = new Map(panes.map(({ paneId, pid }) => [paneId, pid]));
  return (
    stance.panes.length === seen.size && stance.panes.every(({ paneId, pid }) => seen.get(paneId) === pid)
  );
}
