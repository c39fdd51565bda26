import { belongingsBody } from '../../../core/close/belongings.ts';
import { closingPanes } from '../../../core/close/closing-pane.ts';
import type { CloseDecision } from '../../../core/close/decide.ts';
import { named } from '../../../core/close/ladder.ts';
import { newcomers } from '../../../core/close/newcomers.ts';
import type { ReceiptParts } from '../../../core/close/receipt.ts';
import { aboutEntry, receiptBody } from '../../../core/close/receipt.ts';
import type { SessionFacts } from '../../../core/ledger/current-facts.ts';
import type { JsonObject } from '../../../core/ledger/json.ts';
import { isGone } from '../../../core/roll.ts';
import { keptBy } from '../declare-standing.ts';
import type { Deed, Ending } from '../deed.ts';
import { perform } from '../deed.ts';
import { recordEnds } from '../ends/record-ends.ts';
import { factsOf } from '../facts-of.ts';
import type { Hands } from '../hands.ts';
import { archiveSession } from './archive-session.ts';
import { awaitDecision, decideOn } from './await-decision.ts';
import { Belongings } from './belongings.ts';
import { climb } from './climb.ts';
import { closedBefore } from './closed-before.ts';
import { comingBack } from './coming-back.ts';
import { lookAt, type Sight, type Subject, subjectOf } from './look-at.ts';
import type { CloseOrder, CloseResult } from './order.ts';
import { partialReceipt } from './partial-receipt.ts';
import { notSeenAtRest, type Patience, patienceOf, tooLate } from './patience.ts';
import { rungsOf } from './rungs.ts';
import { settleLost } from './settle-lost.ts';
import { type CloseStep, stepsOf } from './steps.ts';
import { movedPanes, sweep } from './sweep.ts';
import { terminalInUse } from './terminal-holders.ts';
import { type Course, unrecorded } from './unrecorded.ts';
import { newWord } from './word.ts';

type There = Extract<Sight, { state: 'there' }>;
type Go = Extract<CloseDecision, { state: 'go' }>;

/** What a close needs before anything is done: a verdict of this moment, and everything kept. */
interface Ready {
  readonly sight: There;
  readonly decision: Go;
  readonly archive: string;
  readonly id: string;
  /** Of every file of the archive. */
  readonly digests: Map<string, string>;
  readonly belongings: Belongings;
}

/** Closes one session as a careful person would. */
export async function closeSession(hands: Hands, order: CloseOrder): Promise<CloseResult> {
  const subject = subjectOf(order.entry);
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

async function closeStanding(hands: Hands, order: CloseOrder, subject: Subject): Promise<CloseResult> {
  const patience = patienceOf(hands, order.timings);
  const decided = await awaitDecision(hands, order, subject);
  if (decided !== null) return decided;
  const rungs = rungsOf(hands, order);
  let early: CloseResult | null = null;
  let ready: Ready | null = null;
  const course: Course = { isBegun: false, isGone: false };
  const performing = perform<CloseResult, CloseStep>(
    hands,
    {
      action: 'close',
      session: { key: subject.key, name: subject.name },
      argv: order.argv,
      // Looked at and decided anew: until the lock was ours, somebody else may have been at it.
      async prepare() {
        const made = await makeReady(hands, order, subject, rungs);
        if (!('sight' in made)) early = made;
        else if (patience.isOver()) early = tooLate();
        else ready = made;
        return ready !== null;
      },
      // What was declared since it was looked at counts: nobody can record anything at this moment.
      intend: (facts) => {
        const aside = setAsideBy(order, ready as Ready);
        const text = keptBy(facts, aside, hands.moment(), order.wish.isByCompletion);
        if (text === null) return intentBody(order, subject, ready as Ready);
        if (!facts?.closed) early = { state: 'aborted', text, hint: null, rungs: rungs.reports };
        return null;
      },
    },
    (deed) => carryOut({ hands, order, subject, rungs, deed, course, patience }, ready as unknown as Ready),
  );
  const performed = await performing.catch((error: unknown) => unrecorded(error, course, rungs.reports));
  if (performed.state === 'unrecorded') return performed;
  if (performed.state === 'performed') return performed.value;
  if (performed.state === 'busy') return { state: 'already-closing', by: performed.by };
  if (performed.state === 'failed') {
    return { state: 'failed', text: performed.text, hint: performed.hint, rungs: rungs.reports };
  }
  return early ?? closedBefore(hands, subject);
}

async function makeReady(
  hands: Hands,
  order: CloseOrder,
  subject: Subject,
  rungs: ReturnType<typeof rungsOf>,
): Promise<Ready | CloseResult> {
  const sight = await lookAt(hands, subject);
  const decision = decideOn(sight, order);
  if (decision.state === 'gone' || sight.state !== 'there') return closedBefore(hands, subject);
  if (decision.state === 'not-yet') return notSeenAtRest(decision.blockers);
  if (decision.state === 'refused') return decision;
  const unlisted = (order.wish.isForced ? notShown(order, sight) : null) ?? usedTerminal(hands, order, sight);
  if (unlisted !== null) return unlisted;
  const id = newWord();
  const { claims = null } = factsOf(hands, subject) ?? {};
  const over = rungs.begin('archive');
  const archived = await stepsOf(hands)('archive', () =>
    archiveSession(hands, subject, sight, { id, claims }),
  );
  if (archived.state === 'failed') {
    over('failed', archived.text);
    return { state: 'failed', text: archived.text, hint: archived.hint, rungs: rungs.reports };
  }
  over('done', archived.path);
  const belongings = new Belongings(sight.panes, order.wish, order.shown);
  const digests = new Map(Object.entries(archived.digests));
  return { sight, decision, id, belongings, archive: archived.path, digests };
}

// Force sets aside what somebody was shown, and nothing that came since.
function notShown({ entry }: CloseOrder, { entry: now, panes, roll }: There): CloseResult | null {
  const shown = new Belongings(closingPanes(entry, roll.at), { isForced: true });
  const [began] = newcomers(panes, shown.isListed);
  const known = new Set(entry.blockers.map(({ code }) => code));
  const added = now.blockers.find(({ code }) => !known.has(code));
  if (began === undefined && added === undefined) return null;
  const text =
    began === undefined ? `since it was looked at: ${added?.text}` : `${named(began)} began since then`;
  const { blockers, protections } = now;
  const hint = 'it is not as it was when its processes were listed; look again';
  return { state: 'refused', code: 'not-safe', text, blockers, protections, hint };
}

// Nothing but its terminal may tie a process to the session. Forced, such a one is told before, or stops it.
function usedTerminal(hands: Hands, order: CloseOrder, { entry, panes, roll }: There): CloseResult | null {
  const { isForced } = order.wish;
  const shown = new Belongings(closingPanes(isForced ? order.entry : entry, roll.at), order.wish);
  const text = terminalInUse(hands, entry.server, panes, { isForced, isListed: shown.isListed });
  if (text === null) return null;
  const { blockers, protections } = entry;
  const hint = 'once it has ended, or prints elsewhere, try again; rollcall explain shows what uses it';
  return { state: 'refused', code: 'not-safe', text, blockers, protections, hint };
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
    ...belongingsBody({ paneIds: [...paneIds], processes: ready.belongings.of(paneIds) }),
  };
}

/** Codes of what was set aside as it was decided; a wish to keep it that came later is not among them. */
function setAsideBy({ wish }: CloseOrder, { decision }: Ready): ReadonlySet<string> {
  return new Set([...decision.waived.map(({ code }) => code), ...wish.despite]);
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

async function carryOut(carrying: Carrying, ready: Ready): Promise<Ending<CloseResult>> {
  const { hands, order, subject, rungs, deed, course, patience } = carrying;
  course.isBegun = true;
  const { wish, timings } = order;
  const { sight, decision, belongings } = ready;
  const session = { key: subject.key, name: subject.name };
  const notes: string[] = [];
  const end = await climb({
    ...{ hands, subject, wish, timings, patience, belongings, step: deed.step, begin: rungs.begin, notes },
    archiveId: ready.id,
    digests: ready.digests,
    footing: {
      panes: sight.panes.map(({ paneId, pid }) => ({ paneId, pid })),
      isForced: wish.isForced,
      isByCompletion: wish.isByCompletion ?? false,
      waived: setAsideBy(order, ready),
    },
  });
  if (end.state !== 'gone') {
    const { state, text } = end;
    const done = rungs.reports.map(({ rung, result, text }) => ({ rung, result, text }));
    const { id, archive } = ready;
    const digests = Object.fromEntries(ready.digests);
    const { waived } = decision;
    const receipt = partialReceipt(hands, {
      ...{ order, sight, waived, belongings, id, archive, digests, rungs, text },
    });
    if (receipt !== null) await deed.receipt(receipt);
    const stopped = { text, rungs: rungs.reports, ...(receipt !== null && { receipt }) };
    const value: CloseResult =
      state === 'timed-out' ? { state, ...stopped, blockers: [] } : { state, ...stopped, hint: null };
    return { session, body: { result: state, text, rungs: done }, value };
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
  const receipt = receiptBody({
    ...partsOf(order, sight, factsOf(hands, subject)),
    ...{ id: ready.id, result: 'closed', waived: decision.waived, archive: ready.archive, notes },
    digests: Object.fromEntries(ready.digests),
    ...{ rungs: rungs.reports, survivors: swept.survivors },
  });
  await deed.receipt(receipt);
  return { session, body: { result: 'done' }, value: { state: 'closed', receipt } };
}

function partsOf(
  { wish, reason }: CloseOrder,
  { entry, panes }: There,
  facts: SessionFacts | undefined,
): Omit<ReceiptParts, 'id' | 'result' | 'waived' | 'archive' | 'digests' | 'notes' | 'rungs' | 'survivors'> {
  const resume = panes.map(({ told }) => told?.resume).find((argv) => argv !== undefined) ?? null;
  const { despite, isForced } = wish;
  return { reason, about: aboutEntry(entry), despite, isForced, resume, claims: facts?.claims ?? null };
}
