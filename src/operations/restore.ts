import type { Input, Wish } from '../contract/operations.ts';
import { toRestoreDocument } from '../contract/restore-document.ts';
import type { RestoreDocument } from '../contract/restore-schema.ts';
import { untoldIn } from '../core/restore/offer.ts';
import type { RestoreReport } from '../core/restore/report.ts';
import type { Problem, Roll, SessionEntry } from '../core/sight/roll.ts';
import { callerEnvironment } from '../engine/act/caller-environment.ts';
import { lostSessions, planOn, restoreSession } from '../engine/act/restore/restore-session.ts';
import { finishMoves } from '../engine/gate/move-gates.ts';
import type { At } from './at.ts';
import { atMost } from './at-most.ts';
import { Failure } from './failure.ts';
import { lookFor } from './look-for.ts';
import { sessionNamed } from './session-named.ts';

/** Each holds its looks and starts an agent; more would only wait for each other, and take the memory at once. */
export const USUAL_PARALLEL = 4;

/** What came of it. */
export interface Restored {
  readonly isDryRun: boolean;
  readonly reports: readonly RestoreReport[];
  /** Servers of which nobody can tell what they have lost. */
  readonly untold: readonly Problem[];
}

/** What whoever asked hears on the way. */
export interface RestoreHeard {
  /** Asked with what would come back, where nobody said yes before; nothing is started where it answers no. */
  ask?(plans: readonly RestoreReport[]): Promise<boolean>;
  /** How many of all are done, and the one that just is; null before the first. */
  onProgress(done: number, total: number, report: RestoreReport | null): void;
}

const NOBODY: RestoreHeard = { onProgress: () => {} };

export async function restore(input: Input<'restore'>, at: At): Promise<RestoreDocument> {
  return restoredDocument(await restoreLost(input, at), at);
}

export function restoredDocument(
  { isDryRun, reports, untold }: Restored,
  { now }: Pick<At, 'now'>,
): RestoreDocument {
  return toRestoreDocument(now(), isDryRun, reports, untold);
}

/** Brings back what a crash took, some at a time; what becomes of one does not keep another. */
export async function restoreLost(
  wish: Wish<'restore'>,
  at: Pick<At, 'withHands' | 'isCallerHere' | 'shell' | 'argv'>,
  heard: RestoreHeard = NOBODY,
): Promise<Restored> {
  const { sessions: words = [], servers, dryRun: isDryRun = false, yes: isAgreed = false } = wish;
  const { programs: hasPrograms = false, asleep: isAsleep = false } = wish;
  const mayAct = !isDryRun && (isAgreed || heard.ask !== undefined);
  return at.withHands(async (hands) => {
    const roll = await lookFor(hands, { words: [], servers }, { isWithClosed: false });
    const untold = untoldIn(roll, hands.ledger.facts().folded.facts.values());
    if (mayAct) await finishMoves(hands, roll);
    const named = words.length === 0 ? null : lostNamed(roll, words);
    const which = { since: wish.since ?? null, named, hasPrograms, isAsleep };
    const lost = lostSessions(hands, roll.sessions, which);
    const plans = lost.map((one) => planOn(hands, one));
    if (lost.length === 0 || isDryRun) return { isDryRun, reports: plans, untold };
    if (!mayAct) {
      throw new Failure('usage', 'nothing was restored: there is no terminal to ask on', {
        hint: 'look at it with --dry-run, then say --yes',
      });
    }
    if (!isAgreed && !(await heard.ask?.(plans))) {
      throw new Failure('refused', 'nothing was restored', { hint: 'nobody said yes' });
    }
    const order = {
      ...{ isAsleep, isWithoutPrograms: !hasPrograms, shell: at.shell, argv: at.argv },
      ...(at.isCallerHere && { caller: callerEnvironment(hands.callerEnv) }),
    };
    let done = 0;
    heard.onProgress(done, lost.length, null);
    const reports = await atMost(wish.parallel ?? USUAL_PARALLEL, lost, async (one) => {
      const report = await restoreSession(hands, one, order);
      done += 1;
      heard.onProgress(done, lost.length, report);
      return report;
    });
    return { isDryRun, reports, untold };
  });
}

// Among those that are gone only: one that lives under the name may have come after it.
function lostNamed(roll: Roll, words: readonly string[]): SessionEntry[] {
  const gone = { ...roll, sessions: roll.sessions.filter(({ lostBy }) => lostBy !== undefined) };
  const entries = words.map((word) => {
    try {
      return sessionNamed(gone, word);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'not-found') throw error;
      throw new Failure('not-found', `no session '${word}' is lost`, {
        hint: 'rollcall restore --dry-run lists what is; rollcall reopen puts back what was closed, and an agent that failed in a session that stands',
        candidates: error.candidates,
      });
    }
  });
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
}
