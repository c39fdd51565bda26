import { NOTHING_KEPT } from '../../../core/close/kept-document.ts';
import {
  type Receipt,
  type ReceiptParts,
  type RungReport,
  receiptBody,
  type Survivor,
} from '../../../core/close/receipt.ts';
import { LedgerError } from '../../../core/ledger/ledger-error.ts';
import type { Roll } from '../../../core/sight/roll.ts';
import type { Sleeper } from '../../../core/sleep/asleep.ts';
import { type ConversationsKept, keepArchived } from '../conversations/keep.ts';
import { type Deed, type DeedEnding, stepsOf } from '../deed.ts';
import type { Hands } from '../hands.ts';
import { holdPane, releasePane } from '../sleep/hold-pane.ts';
import { awaitPeople } from '../sleep/sleeper.ts';
import { LostDeed } from '../still-ours.ts';
import type { Belongings } from './belongings.ts';
import { climb } from './climb.ts';
import type { Subject } from './look-at.ts';
import { movedSince, type Ready } from './make-ready.ts';
import type { CloseOrder, CloseResult, Rungs, Stopped, TimeLeft } from './order.ts';
import { partialReceipt, partsOf } from './partial-receipt.ts';
import { comingBack, movedPanes, type SeenSessions, type Sweeping, sweep } from './sweep.ts';
import type { Climb, ClimbEnd, CloseStep } from './taken.ts';

/** A close whose intent is recorded. */
export interface Carrying {
  readonly hands: Hands;
  readonly order: CloseOrder;
  readonly subject: Subject;
  readonly rungs: Rungs;
  readonly deed: Deed<CloseStep>;
  readonly course: CloseCourse;
  readonly patience: TimeLeft;
}

const STANDS_NOT_STILL = 'nothing was done; close it again once nothing moves in it any more';

/** Does what was decided and archived, from the first rung to the receipt. */
export async function carryOut(carrying: Carrying, ready: Ready): Promise<DeedEnding<CloseResult>> {
  const { hands, order, subject, deed, course } = carrying;
  course.isBegun = true;
  const { wish } = order;
  const { sight, belongings, sleep } = ready;
  const session = { key: subject.key, name: subject.name };
  const notes: string[] = [];
  const held = sleep && (await deed.step('hold-pane', () => holdPane(hands, subject, ready, sleep)));
  const end = held ?? (await climbUp(carrying, ready, notes));
  if (end.state === 'asleep') {
    const receipt = await asleepReceipt(carrying, ready, end.sleeper, notes);
    await deed.receipt(receipt);
    return { session, body: { result: 'done' }, value: { state: 'asleep', receipt } };
  }
  if (end.state !== 'gone' || sleep) {
    // Whoever has told how it ended has done that, and by now it may be held for another hibernation.
    if (sleep && deed.lost()?.isTold !== true) await releasePane(hands, subject, ready, sleep);
    return stopped(carrying, ready, end.state === 'gone' ? VANISHED : end);
  }
  course.isGone = true;
  const moved = movedPanes(subject, belongings.paneIds, end.roll);
  const paneIds = new Set([...belongings.paneIds].filter((id) => !moved.some(({ paneId }) => paneId === id)));
  const survivors = await sweepUp(carrying, ready, {
    paneIds,
    isForced: wish.isForced,
    seen: () => end.roll,
  });
  notes.push(...(await comingBack(hands, subject, sight)));
  const receipt = await receiptOf(carrying, ready, { result: 'closed', survivors, notes });
  await deed.receipt(receipt);
  return { session, body: { result: 'done' }, value: { state: 'closed', receipt } };
}

/** Ends what the agent left running, and says from what it is woken. */
async function asleepReceipt(
  carrying: Carrying,
  ready: Ready,
  sleeper: Sleeper,
  notes: readonly string[],
): Promise<Receipt> {
  const { hands, subject } = carrying;
  const { belongings, sleep } = ready;
  const { target } = subject;
  const survivors = await sweepUp(carrying, ready, {
    ...{ paneIds: new Set([sleeper.paneId]), isForced: false },
    async seen() {
      const roll = await hands.look({ servers: [target.server.socketPath], withoutGit: true });
      return withoutOwn(roll, belongings);
    },
  });
  const unawaited = await awaitPeople(hands, target, sleeper);
  return receiptOf(carrying, ready, {
    ...{ result: 'asleep', survivors, notes: [...notes, ...unawaited] },
    sleeper: { ...sleeper, freedBytes: sleep?.bytes ?? null, isPaneKept: sleep?.isPaneKept ?? false },
  });
}

// Its pane is still there, and shows what the agent left running: only that is swept, and nothing else of the session.
function withoutOwn({ sessions }: Roll, belongings: Belongings): SeenSessions {
  return {
    sessions: sessions.map(({ evidence }) => ({
      evidence: evidence.map((piece) =>
        piece.kind === 'processes'
          ? { ...piece, processes: piece.processes.filter((note) => !belongings.mayEnd(note)) }
          : piece,
      ),
    })),
  };
}

async function sweepUp(
  { hands, subject, order, rungs, deed }: Carrying,
  { belongings }: Ready,
  { seen, ...how }: Pick<Sweeping, 'paneIds' | 'isForced'> & { seen(): SeenSessions | Promise<SeenSessions> },
): Promise<readonly Survivor[]> {
  const over = rungs.begin('sweep');
  const { timings } = order;
  const given = { hands, subject, timings, belongings, step: deed.step, ...how };
  const swept = await sweep({ ...given, roll: await seen() });
  over(swept.result, swept.text);
  return swept.survivors;
}

/** The receipt of a close that came to its end; keeps the conversations for it. */
async function receiptOf(
  carrying: Carrying,
  ready: Ready,
  told: Pick<ReceiptParts, 'result' | 'survivors' | 'notes' | 'sleeper'>,
): Promise<Receipt> {
  const { hands, order, rungs } = carrying;
  const { conversations, notes } = await keepTalk(carrying, ready);
  return receiptBody({
    ...{ ...partsOf(hands, order, ready), ...told, conversations, rungs: rungs.reports },
    notes: [...told.notes, ...notes],
  });
}

const VANISHED = { state: 'failed', text: 'it vanished while its agent was put to sleep' } as const;

function climbUp(carrying: Carrying, ready: Ready, notes: string[]): Promise<ClimbEnd> {
  const { hands, order, rungs, deed } = carrying;
  const { wish, timings } = order;
  const { step } = deed;
  const moved: Climb['moved'] = (now) => movedSince(hands, ready, now);
  return climb({ ...carrying, ...ready, wish, timings, step, begin: rungs.begin, notes, moved });
}

/** It stands, or nobody can tell. Where an agent was ended, there is a receipt for that. */
async function stopped(
  carrying: Carrying,
  ready: Ready,
  end: Exclude<ClimbEnd, { state: 'gone' | 'asleep' }>,
): Promise<DeedEnding<CloseResult>> {
  const { hands, order, subject, deed, course } = carrying;
  const { reports: rungs } = carrying.rungs;
  const { state, text } = end;
  course.hasMoved = state === 'aborted' && end.isBeforeFirst === true;
  const done = rungs.map(({ rung, result, text }) => ({ rung, result, text }));
  const keep = () => keepTalk(carrying, ready);
  const isTold = deed.lost()?.isTold === true;
  const partial = isTold ? null : await partialReceipt(hands, order, ready, { rungs, text }, keep);
  if (partial !== null) await deed.receipt(partial.receipt);
  // As long as all of it stands there is nothing to bring back.
  const told = { text, rungs, ...(partial?.isEnded && { receipt: partial.receipt }) };
  const value: CloseResult =
    state === 'timed-out'
      ? { state, ...told, blockers: [] }
      : { state, ...told, hint: course.hasMoved ? STANDS_NOT_STILL : null };
  const session = { key: subject.key, name: subject.name };
  return { session, body: { result: state, text, rungs: done }, value };
}

// After its agents have left: what an agent writes on its way out is part of it.
function keepTalk({ hands }: Carrying, { id }: Ready): Promise<ConversationsKept> {
  const archived = hands.archive.read(id);
  const document = archived.state === 'read' ? archived.document : NOTHING_KEPT;
  return stepsOf(hands)('conversations', () => keepArchived(hands, id, document));
}

/** How far a close has come, for whoever catches what it throws. */
export interface CloseCourse {
  /** Its intent is recorded, so the next command finds out what became of it. */
  isBegun: boolean;
  isGone: boolean;
  /** It moved before anything was done: what was decided does not hold any more. */
  hasMoved: boolean;
}

type CutOff =
  | Extract<CloseResult, { readonly state: 'unrecorded' }>
  | (Stopped & { readonly state: 'aborted'; readonly hint: string });

/**
 * What is said where a close did something and the ledger took no more, or where it was not to go on; any other error stays
 * what it is.
 */
export function cutOff(error: unknown, course: CloseCourse, rungs: readonly RungReport[]): CutOff {
  if (!(error instanceof LedgerError) || !course.isBegun) throw error;
  const { message: text, hint } = error;
  if (error instanceof LostDeed && !course.isGone) return { state: 'aborted', text, hint, rungs };
  return { state: 'unrecorded', isGone: course.isGone, text, hint, rungs };
}
