import { toCloseDocument, toReopenDocument, toWakeDocument } from '../../contract/close-document.ts';
import type { ActionBody } from '../../contract/http/bodies.ts';
import type { CloseWish } from '../../core/close/decide.ts';
import type { CloseReport } from '../../core/close/report.ts';
import { EXIT_CODES, type ExitName } from '../../core/exit-codes.ts';
import type { SessionEntry } from '../../core/roll.ts';
import { closeSession } from '../../engine/act/close/close-session.ts';
import { planAll, shownOf } from '../../engine/act/close/plan.ts';
import { reportOn, reportOnError } from '../../engine/act/close/report.ts';
import { boundedTimings, CLOSE_TIMINGS } from '../../engine/act/close/timings.ts';
import type { Hands } from '../../engine/act/hands.ts';
import { reopenSession } from '../../engine/act/reopen/reopen-session.ts';
import { closedAs, reopenedOr } from '../../engine/act/reopen/trouble.ts';
import { wokenOr } from '../../engine/act/sleep/trouble.ts';
import { wakeSession } from '../../engine/act/sleep/wake-session.ts';
import { isTrouble, trouble } from '../../engine/act/trouble.ts';
import { badRequest, problemOf } from '../http/problem.ts';
import { json, type Reply } from '../http/reply.ts';
import { acting } from './acting.ts';
import { sessionIn } from './looking.ts';

/** Who asked, for whoever waits for the lock of the same session. */
const ARGV = ['rollcall', 'up'];

type Ending = ActionBody<'hibernate'> & Pick<ActionBody<'close'>, 'force'>;

async function endOne(
  hands: Hands,
  { word, body }: { readonly word: string; readonly body: Ending },
  isToSleep: boolean,
) {
  const wish: CloseWish = {
    isForced: body.force ?? false,
    despite: body.despite ?? [],
    isAutomatic: body.automatic ?? false,
    isToSleep,
  };
  const closer = (sessions: readonly SessionEntry[]) => sessions.filter(({ key }) => key === word);
  const roll = await hands.look({ closer, isWithClosed: true });
  const entry = sessionIn(roll, word);
  if (body.dryRun) return answer(hands.now(), true, planAll(hands, roll, [entry], wish));
  const { processes, shown } = shownOf(entry, wish, hands.now());
  const report = await closeSession(hands, {
    ...{ entry, wish, reason: body.reason ?? null, argv: ARGV },
    ...(wish.isForced && { shown }),
    timings: boundedTimings(CLOSE_TIMINGS, body.timeoutMs ?? CLOSE_TIMINGS.decideMs),
    onProgress: () => {},
  })
    .then((result) => reportOn(entry, result, hands.now(), processes))
    .catch((error: unknown) => reportOnError(entry, error));
  return answer(hands.now(), false, [report]);
}

// A program that asks on nobody's behalf gets no more than a schedule does.
function checkWish({ automatic, force, despite = [] }: Ending): void {
  if (automatic && (force || despite.length > 0)) {
    throw badRequest('body', '`automatic` goes with neither `force` nor `despite`: they are a person’s word');
  }
}

export const close = acting('close', (hands, asked) => endOne(hands, asked, false), checkWish);

export const hibernate = acting('hibernate', (hands, asked) => endOne(hands, asked, true), checkWish);

export const wake = acting('wake', async (hands, { word }) => {
  const entry = sessionIn(await hands.look(), word);
  const woken = wokenOr(await wakeSession(hands, { entry, argv: ARGV }), hands.now());
  if (isTrouble(woken)) throw problemOf(woken);
  return json(toWakeDocument(entry, woken));
});

export const reopen = acting('reopen', async (hands, { word, body, context }) => {
  const closed = closedAs(hands.ledger.read({ about: word }).entries, word);
  if (isTrouble(closed)) throw problemOf(closed);
  const socketPath = body.server === undefined ? null : hands.socketOf(body.server);
  const result = await reopenSession(hands, {
    ...{ closed, socketPath, argv: ARGV, name: body.name ?? null },
    ...{ onCollision: body.onCollision ?? 'fail', shell: context.shell },
    isUnsealedEnough: body.unsealed ?? false,
  });
  const reopened = reopenedOr(result, hands.now());
  if (isTrouble(reopened)) throw problemOf(reopened);
  return json(toReopenDocument(reopened));
});

/** A close that did not come about is a problem, with the whole report in it. */
function answer(at: number, isDryRun: boolean, reports: readonly CloseReport[]): Reply {
  const document = toCloseDocument(at, isDryRun, reports);
  const [report] = document.sessions;
  const exit = exitOf(report?.exitCode ?? 0);
  if (report === undefined || exit === 'done') return json(document);
  throw problemOf(trouble(exit, report.text, { hint: report.hint }), report);
}

function exitOf(code: number): ExitName {
  const names = Object.keys(EXIT_CODES) as ExitName[];
  return names.find((name) => EXIT_CODES[name].code === code) ?? 'failed';
}
