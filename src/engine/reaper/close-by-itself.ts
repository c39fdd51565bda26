import type { EntryDraft } from '../../core/ledger/entry.ts';
import type { ReapOutcome } from '../../core/reaper/after-close.ts';
import type { Moment } from '../../core/text/moment.ts';
import { visible } from '../../core/text/visible.ts';
import { closeSession } from '../act/close/close-session.ts';
import type { CloseOrder, CloseResult, CloseTimings } from '../act/close/order.ts';
import type { Hands } from '../act/hands.ts';
import { recoverAll } from '../act/recover.ts';

/** What the reaper and the settler close with; src/compose/ supplies the real ones. */
export interface CloserParts {
  readonly timings: CloseTimings;
  /** The command on whose behalf it closes. */
  readonly argv: readonly string[];
  now(): Moment;
  /** Writes notes into the ledger; throws where they could not be written. */
  record(notes: readonly EntryDraft[]): Promise<void>;
  /** Does something with hands of its own, which are put away afterwards. */
  withHands<T>(work: (hands: Hands) => Promise<T>): Promise<T>;
}

/** Closes one session that nobody asked to close. */
export async function closeByItself(
  { withHands, argv, timings }: CloserParts,
  order: Pick<CloseOrder, 'entry' | 'wish' | 'reason'>,
): Promise<CloseOutcome> {
  return withHands(async (hands) => {
    await recoverAll(hands);
    return outcomeOf(await closeSession(hands, { ...order, argv, timings, onProgress: () => {} }));
  });
}

/** A close that goes on while others are looked at: it may take a minute, and somebody may die meanwhile. */
export interface RunningClose<O> {
  /** Null until it has ended. */
  outcome(): O | null;
  /** Settles when it has ended, however. */
  readonly over: Promise<void>;
}

/** Follows a close that nobody waits for: what it throws is its outcome, and would end the daemon otherwise. */
export function followClose<O>(close: Promise<O>, release?: () => void): RunningClose<O | CloseOutcome> {
  let outcome: O | CloseOutcome | null = null;
  const over = close.catch(outcomeOfError).then((ended) => {
    outcome = ended;
    release?.();
  });
  return { outcome: () => outcome, over };
}

/** How a close ended, once it was begun. */
export type CloseOutcome = Extract<ReapOutcome, { result: 'closed' | 'skipped' | 'failed' }>;

/**
 * What a close means to whoever closes by itself. Refused, stopped on the way, or done by others: nothing was lost.
 * Everything else is a failure, also where nobody can tell how it ended.
 */
function outcomeOf(result: CloseResult): CloseOutcome {
  switch (result.state) {
    case 'closed':
    case 'asleep': {
      const { receipt } = result.receipt;
      const what = result.state === 'closed' ? 'closed' : 'put to sleep';
      return { result: 'closed', receipt, text: `${what}, receipt ${receipt}` };
    }
    case 'already-asleep':
      return skipped('already-asleep', `asleep already, receipt ${result.receipt}`);
    case 'refused':
      return skipped(result.code, [result.text, ...result.blockers.map(({ text }) => text)].join('; '));
    case 'aborted':
      return skipped('aborted', `stopped on the way: ${result.text}`);
    case 'already-closing':
      return skipped('already-closing', 'somebody else is closing it');
    case 'already-closed':
      return skipped('already-closed', `closed already, receipt ${result.receipt}`);
    case 'gone':
      return skipped('gone', 'it was lost before');
    case 'failed':
    case 'timed-out':
      return failed(result.state, result.text);
    case 'vanished':
      return failed('vanished', 'it is gone, and rollcall did not close it');
    case 'unrecorded': {
      const where = result.isGone ? 'it is gone' : 'it stands';
      return failed('unrecorded', `${where}, unrecorded: ${result.text}`);
    }
  }
}

/** A close that threw: nobody knows how far it came. */
export function outcomeOfError(error: unknown): CloseOutcome {
  return failed('thrown', error instanceof Error ? error.message : String(error));
}

function skipped(code: string, text: string): CloseOutcome {
  return { result: 'skipped', code, text: visible(text, 600) };
}

function failed(code: string, text: string): CloseOutcome {
  return { result: 'failed', code, text: visible(text, 600) };
}
