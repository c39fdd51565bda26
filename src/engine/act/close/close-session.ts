import { belongingsBody } from '../../../core/close/bodies.ts';
import { keptBy } from '../../../core/close/guard.ts';
import type { JsonObject } from '../../../core/ledger/json.ts';
import { isGone } from '../../../core/sight/roll.ts';
import { perform, Undecided, undecided } from '../deed.ts';
import { recordEnds } from '../ends/record-ends.ts';
import type { Hands } from '../hands.ts';
import { dropStarts } from '../keep-start.ts';
import { sleepBody } from '../sleep/hold-pane.ts';
import { awayOrAsleep } from '../sleep/plan-sleep.ts';
import { awaitDecision, closedBefore } from './await-decision.ts';
import { type Carrying, type CloseCourse, carryOut, cutOff } from './carry-out.ts';
import { type Subject, subjectOf } from './look-at.ts';
import { makeReady, type Ready } from './make-ready.ts';
import { type CloseOrder, type CloseResult, patienceOf, refusal, rungsOf, tooLate } from './order.ts';
import { settleLost } from './settle-lost.ts';
import type { CloseStep } from './taken.ts';

/** Closes one session as a careful person would. */
export async function closeSession(hands: Hands, order: CloseOrder): Promise<CloseResult> {
  const subject = subjectOf(order.entry);
  if (order.wish.isToSleep)
    return awayOrAsleep(hands, subject, order) ?? closeStanding(hands, order, subject);
  if (order.entry.lifecycle === 'closed') return closedBefore(hands, subject);
  if (isGone(order.entry)) return unaskedFor(order) ?? settleLost(hands, order, subject);
  const result = await closeStanding(hands, order, subject);
  if (result.state !== 'vanished') return result;
  // It may have ended by itself meanwhile.
  await recordEnds(hands);
  return closedBefore(hands, subject);
}

// Something is left to be seen to by a person: its program ended badly, or somebody wants more of it.
function unaskedFor({ entry, wish }: CloseOrder): CloseResult | null {
  if (!wish.isAutomatic || entry.lifecycle !== 'stale') return null;
  const text = `it is stale: ${entry.reasons[0]?.text ?? 'its program has ended'}`;
  return refusal(entry, text, 'close it by name, which touches nothing, or reopen it');
}

/** An agent at rest draws its screen now and then; one that does so all the time cannot be judged. */
const MOST_DECISIONS = 5;

async function closeStanding(hands: Hands, order: CloseOrder, subject: Subject): Promise<CloseResult> {
  const patience = patienceOf(hands, order.timings);
  for (let decisions = 1; ; decisions += 1) {
    const course: CloseCourse = { isBegun: false, isGone: false, hasMoved: false };
    const decided = await awaitDecision(hands, order, subject);
    const result = decided ?? (await closeDecided(hands, order, subject, { course, patience }));
    // What came since is in no archive: decided and archived anew, as if nothing had been asked before.
    if (!course.hasMoved || decisions === MOST_DECISIONS || patience.isOver()) return result;
  }
}

async function closeDecided(
  hands: Hands,
  order: CloseOrder,
  subject: Subject,
  { course, patience }: Pick<Carrying, 'course' | 'patience'>,
): Promise<CloseResult> {
  const rungs = rungsOf(hands, order);
  let early: CloseResult | null = null;
  let ready = null as Ready | null;
  const performing = perform<CloseResult, CloseStep>(
    hands,
    {
      action: order.wish.isToSleep ? 'hibernate' : 'close',
      session: { key: subject.key, name: subject.name },
      argv: order.argv,
      // Looked at and decided anew: until the lock was ours, somebody else may have been at it.
      async prepare() {
        const made = await makeReady(hands, order, subject, rungs);
        if (!('sight' in made)) {
          early = made;
          // It drew something since it was decided: that is looked at anew, for as long as there is time.
          course.hasMoved = made.state === 'timed-out';
        } else if (patience.isOver()) early = tooLate();
        else ready = made;
        return ready !== null;
      },
      // What was declared since it was looked at counts: nobody can record anything at this moment.
      intend: (facts) => {
        const text = keptBy(facts, (ready as Ready).footing, hands.moment());
        if (text === null) return intentBody(order, subject, ready as Ready);
        if (!facts?.closed) early = { state: 'aborted', text, hint: null, rungs: rungs.reports };
        return null;
      },
    },
    (deed) => carryOut({ hands, order, subject, rungs, deed, course, patience }, ready as Ready),
  );
  const performed = await performing.catch((error: unknown) =>
    error instanceof Undecided
      ? undecided(error, order.wish.isToSleep ? 'it may sleep' : 'it may be closed')
      : cutOff(error, course, rungs.reports),
  );
  if (performed.state === 'unrecorded' || performed.state === 'aborted') return performed;
  if (performed.state === 'performed') {
    dropStarts(hands);
    return performed.value;
  }
  if (performed.state === 'busy') return { state: 'already-closing', by: performed.by };
  if (performed.state === 'failed') {
    return { state: 'failed', text: performed.text, hint: performed.hint, rungs: rungs.reports };
  }
  return early ?? closedBefore(hands, subject);
}

// Enough to find out later, without this process, whether it is gone and what it left, and to write its receipt.
function intentBody({ reason, wish }: CloseOrder, { target }: Subject, ready: Ready): JsonObject {
  const { server, sessionId, createdAtSeconds } = target;
  const { paneIds } = ready.belongings;
  return {
    archive: ready.id,
    digests: Object.fromEntries(ready.digests),
    reason,
    isForced: wish.isForced,
    despite: wish.despite,
    waived: ready.decision.waived.map(({ code, kind, text }) => ({ code, kind, text })),
    ...{ server: { ...server }, sessionId, createdAtSeconds },
    ...belongingsBody([...paneIds], ready.belongings.of(paneIds)),
    ...(ready.sleep && { sleep: sleepBody(ready.sleep) }),
  };
}
