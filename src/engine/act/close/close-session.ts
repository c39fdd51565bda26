import { belongingsBody } from '../../../core/close/bodies.ts';
import { didEnd } from '../../../core/close/ended.ts';
import { keptBy } from '../../../core/close/guard.ts';
import { NOTHING_KEPT } from '../../../core/close/kept-document.ts';
import { receiptBody } from '../../../core/close/receipt.ts';
import type { JsonObject } from '../../../core/ledger/json.ts';
import { isGone } from '../../../core/sight/roll.ts';
import { keepArchived } from '../conversations/archived.ts';
import type { ConversationsKept } from '../conversations/keep.ts';
import { type Deed, type Ending, type Performed, perform } from '../deed.ts';
import { recordEnds } from '../ends/record-ends.ts';
import type { Hands } from '../hands.ts';
import { dropStarts } from '../keep-start.ts';
import { asleepReceipt } from '../sleep/asleep-receipt.ts';
import { awayOrAsleep } from '../sleep/away-or-asleep.ts';
import { holdPane, releasePane, sleepBody } from '../sleep/hold-pane.ts';
import { Undecided } from '../undecided.ts';
import { awaitDecision } from './await-decision.ts';
import { climb } from './climb.ts';
import { closedBefore } from './closed-before.ts';
import { comingBack } from './coming-back.ts';
import { type Subject, subjectOf } from './look-at.ts';
import { makeReady, movedSince, type Ready } from './make-ready.ts';
import type { CloseOrder, CloseResult } from './order.ts';
import { partialReceipt } from './partial-receipt.ts';
import { partsOf } from './parts-of.ts';
import { type Patience, patienceOf, tooLate } from './patience.ts';
import { rungsOf } from './rungs.ts';
import { settleLost } from './settle-lost.ts';
import type { CloseStep } from './steps.ts';
import { movedPanes, sweep } from './sweep.ts';
import type { ClimbEnd } from './taken.ts';
import { type Course, unrecorded } from './unrecorded.ts';

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
  const { blockers, protections, reasons } = entry;
  const text = `it is stale: ${reasons[0]?.text ?? 'its program has ended'}`;
  const hint = 'close it by name, which touches nothing, or reopen it';
  return { state: 'refused', code: 'not-safe', text, blockers, protections, hint };
}

/** An agent at rest draws its screen now and then; one that does so all the time cannot be judged. */
const MOST_DECISIONS = 5;

async function closeStanding(hands: Hands, order: CloseOrder, subject: Subject): Promise<CloseResult> {
  const patience = patienceOf(hands, order.timings);
  for (let decisions = 1; ; decisions += 1) {
    const course: Course = { isBegun: false, isGone: false, hasMoved: false };
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
    error instanceof Undecided ? undecided(error) : unrecorded(error, course, rungs.reports),
  );
  if (performed.state === 'unrecorded') return performed;
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

function undecided({ message }: Undecided): Extract<Performed<never>, { state: 'failed' }> {
  const hint = 'it may sleep all the same; the next rollcall command finds out and records it';
  return { state: 'failed', text: `tmux gave no answer: ${message}`, hint };
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

interface Carrying {
  readonly hands: Hands;
  readonly order: CloseOrder;
  readonly subject: Subject;
  readonly rungs: ReturnType<typeof rungsOf>;
  readonly deed: Deed<CloseStep>;
  readonly course: Course;
  readonly patience: Patience;
}

const STANDS_NOT_STILL = 'nothing was done; close it again once nothing moves in it any more';

async function carryOut(carrying: Carrying, ready: Ready): Promise<Ending<CloseResult>> {
  const { hands, order, subject, rungs, deed, course } = carrying;
  course.isBegun = true;
  const { wish, timings } = order;
  const { sight, decision, belongings, sleep } = ready;
  const session = { key: subject.key, name: subject.name };
  const notes: string[] = [];
  const held = sleep && (await deed.step('hold-pane', () => holdPane(hands, subject, ready, sleep)));
  const end = held ?? (await climbUp(carrying, ready, notes));
  if (end.state === 'asleep') {
    const told = { rungs, notes, sleeper: end.sleeper, keepTalk: () => keepTalk(carrying, ready) };
    const receipt = await asleepReceipt({ hands, order, subject, ready, deed, ...told });
    await deed.receipt(receipt);
    return { session, body: { result: 'done' }, value: { state: 'asleep', receipt } };
  }
  if (end.state !== 'gone' || sleep) {
    if (sleep) await releasePane(hands, subject, ready, sleep);
    return stopped(carrying, ready, end.state === 'gone' ? VANISHED : end);
  }
  course.isGone = true;
  const moved = movedPanes(subject, belongings.paneIds, end.roll);
  const paneIds = new Set([...belongings.paneIds].filter((id) => !moved.some(({ paneId }) => paneId === id)));
  const over = rungs.begin('sweep');
  const swept = await sweep({
    ...{ hands, subject, timings, paneIds, belongings, step: deed.step, isForced: wish.isForced },
    roll: end.roll,
  });
  over(swept.result, swept.text);
  notes.push(...(await comingBack(hands, subject, sight)));
  const kept = await keepTalk(carrying, ready);
  const receipt = receiptBody({
    ...partsOf(hands, order, sight),
    ...{ id: ready.id, result: 'closed', waived: decision.waived, archive: ready.archive },
    ...{ conversations: kept.conversations, notes: [...notes, ...kept.notes] },
    digests: Object.fromEntries(ready.digests),
    ...{ rungs: rungs.reports, survivors: swept.survivors },
  });
  await deed.receipt(receipt);
  return { session, body: { result: 'done' }, value: { state: 'closed', receipt } };
}

const VANISHED = { state: 'failed', text: 'it vanished while its agent was put to sleep' } as const;

function climbUp(carrying: Carrying, ready: Ready, notes: string[]): Promise<ClimbEnd> {
  const { hands, order, subject, rungs, deed, patience } = carrying;
  const { wish, timings } = order;
  return climb({
    ...{ hands, subject, wish, timings, patience, step: deed.step, begin: rungs.begin, notes },
    ...{ belongings: ready.belongings, digests: ready.digests, footing: ready.footing },
    archiveId: ready.id,
    ...(ready.sleep && { sleep: ready.sleep }),
    moved: (now) => movedSince(hands, ready, now),
  });
}

/** It stands, or nobody can tell. Where an agent was ended, there is a receipt for that. */
async function stopped(
  carrying: Carrying,
  ready: Ready,
  end: Exclude<ClimbEnd, { state: 'gone' | 'asleep' }>,
): Promise<Ending<CloseResult>> {
  const { hands, order, subject, rungs, deed, course } = carrying;
  const { state, text } = end;
  course.hasMoved = state === 'aborted' && end.isBeforeFirst === true;
  const done = rungs.reports.map(({ rung, result, text }) => ({ rung, result, text }));
  const { id, archive, sight, belongings } = ready;
  const kept = didEnd(rungs.reports) ? { kept: await keepTalk(carrying, ready) } : {};
  const receipt = partialReceipt(hands, {
    ...{ order, sight, waived: ready.decision.waived, belongings, id, archive, rungs, text, ...kept },
    digests: Object.fromEntries(ready.digests),
  });
  if (receipt !== null) await deed.receipt(receipt);
  const told = { text, rungs: rungs.reports, ...(receipt !== null && { receipt }) };
  const value: CloseResult =
    state === 'timed-out'
      ? { state, ...told, blockers: [] }
      : { state, ...told, hint: course.hasMoved ? STANDS_NOT_STILL : null };
  const session = { key: subject.key, name: subject.name };
  return { session, body: { result: state, text, rungs: done }, value };
}

// After its agents have left: what an agent writes on its way out is part of it.
function keepTalk({ hands, deed }: Carrying, { id }: Ready): Promise<ConversationsKept> {
  const archived = hands.archive.read(id);
  const document = archived.state === 'read' ? archived.document : NOTHING_KEPT;
  return deed.step('conversations', () => keepArchived(hands, id, document));
}
