import { toCloseDocument } from '../contract/close-document.ts';
import type { CloseDocument } from '../contract/close-schemas.ts';
import type { Input, Wish } from '../contract/operations.ts';
import type { CloseWish } from '../core/close/decide.ts';
import type { CloseReport } from '../core/close/report.ts';
import { EXIT_CODES } from '../core/exit-codes.ts';
import type { Roll, SessionEntry } from '../core/sight/roll.ts';
import { closeSession } from '../engine/act/close/close-session.ts';
import { boundedTimings, CLOSE_TIMINGS, type CloseOrder } from '../engine/act/close/order.ts';
import { planAll, reportOn, reportOnError, shownOf } from '../engine/act/close/report.ts';
import type { Hands } from '../engine/act/hands.ts';
import type { At } from './at.ts';
import { atMost } from './at-most.ts';
import { Failure } from './failure.ts';
import { lookFor } from './look-for.ts';
import { allNamed } from './session-named.ts';

/** Each holds its looks and its waits; more would only wait for each other. */
const AT_ONCE = 4;

/** What is to be ended: sessions by their words, or all that are due. */
export interface Endings extends Omit<Wish<'close'>, 'session'> {
  readonly sessions: readonly string[];
  readonly due?: boolean;
  /** Its agent leaves, and the session stays. */
  readonly isToSleep: boolean;
}

/** What whoever asked hears on the way. */
export interface EndingHeard {
  onProgress: CloseOrder['onProgress'];
  onReport(report: CloseReport): void;
  /** Asked before anything is ended by force, with every process that would be; what it throws ends it all. */
  beforeForce(doomed: readonly Doomed[]): Promise<void> | void;
}

export interface Doomed {
  readonly entry: SessionEntry;
  readonly processes: CloseReport['processes'];
}

const NOBODY: EndingHeard = { onProgress: () => {}, onReport: () => {}, beforeForce: () => {} };

export function close({ session, ...wish }: Input<'close'>, at: At): Promise<CloseDocument> {
  return endSessions({ ...wish, sessions: [session], isToSleep: false }, at);
}

export function hibernate({ session, ...wish }: Input<'hibernate'>, at: At): Promise<CloseDocument> {
  return endSessions({ ...wish, sessions: [session], isToSleep: true }, at);
}

/** Closes sessions, or puts their agents to sleep; tells of each what became of it. */
export function endSessions(
  asked: Endings,
  at: At,
  { onProgress, onReport, beforeForce }: EndingHeard = NOBODY,
): Promise<CloseDocument> {
  checkEndings(asked);
  const { sessions: words, servers, due: isDue = false, dryRun: isDryRun = false, isToSleep } = asked;
  const wish: CloseWish = {
    isForced: asked.force ?? false,
    despite: asked.despite ?? [],
    isAutomatic: isDue || (asked.automatic ?? false),
    ...(isToSleep && { isToSleep }),
  };
  return at.withHands(async (hands) => {
    const options = { isThorough: true, isWithClosed: !isDue };
    const roll = await lookFor(hands, { words, servers }, options);
    const nothingDone = isToSleep ? 'nothing was put to sleep' : 'nothing was closed';
    const entries = isDue ? dueIn(roll) : allNamed(roll, words, nothingDone);
    if (isDryRun) {
      const reports = planAll(hands, roll, entries, wish);
      reports.forEach(onReport);
      return toCloseDocument(at.now(), true, reports);
    }
    if (wish.isForced) {
      await beforeForce(
        entries.map((entry) => ({ entry, processes: shownOf(entry, wish, hands.now()).processes })),
      );
    }
    const reports = await closeAll(hands, entries, {
      order: {
        wish,
        reason: asked.reason ?? null,
        argv: at.argv,
        timings: boundedTimings(CLOSE_TIMINGS, asked.timeoutMs ?? CLOSE_TIMINGS.decideMs),
        onProgress,
      },
      onReport,
    });
    return toCloseDocument(at.now(), false, reports);
  });
}

// A program that asks on nobody's behalf gets no more than a schedule does.
function checkEndings({ due: isDue, automatic: isAutomatic, force: isForced, despite = [] }: Endings): void {
  if (!(isDue || isAutomatic) || !(isForced || despite.length > 0)) return;
  throw new Failure(
    'usage',
    'what nobody asked for by name is closed only where it is proven and unprotected',
    {
      hint: 'name the session, without `automatic`, to close it with `force` or `despite`',
    },
  );
}

function dueIn({ sessions }: Roll): SessionEntry[] {
  return sessions.filter(
    ({ lifecycle, protections }) => lifecycle === 'safe-to-close' && protections.length === 0,
  );
}

/** Closes several sessions, some at a time; what becomes of one does not keep another. */
function closeAll(
  hands: Hands,
  entries: readonly SessionEntry[],
  { order, onReport }: { readonly order: Omit<CloseOrder, 'entry'> } & Pick<EndingHeard, 'onReport'>,
): Promise<CloseReport[]> {
  return atMost(AT_ONCE, entries, async (entry) => {
    const { processes, shown } = shownOf(entry, order.wish, hands.now());
    // A list was printed only where it is forced; without force nothing is signalled but an agent and its helpers.
    const report = await closeSession(hands, { ...order, entry, ...(order.wish.isForced && { shown }) })
      .then((result) => reportOn(entry, result, hands.now(), processes))
      .catch((error: unknown) => reportOnError(entry, error));
    onReport(report);
    return report;
  });
}

// Worst first: what failed tells more than what was refused.
const SEVERITY = ['failed', 'timed-out', 'not-found', 'refused', 'done'] as const;

/** How all of them ended, in one word. */
export function worstEnd(reports: readonly { readonly exitCode: number }[]): (typeof SEVERITY)[number] {
  const codes = new Set(reports.map(({ exitCode }) => exitCode));
  return SEVERITY.find((name) => codes.has(EXIT_CODES[name].code)) ?? 'done';
}
