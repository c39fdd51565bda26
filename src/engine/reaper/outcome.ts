import type { ReapOutcome } from '../../core/reaper/after-close.ts';
import { visible } from '../../core/text/visible.ts';
import type { CloseResult } from '../act/close/order.ts';

/** How a close ended, once it was begun. */
export type CloseOutcome = Extract<ReapOutcome, { result: 'closed' | 'skipped' | 'failed' }>;

/**
 * What a close means to whoever closes by itself. Refused, stopped on the way, or done by others: nothing was lost. Whatever went wrong,
 * and whatever nobody can tell the end of, is a failure.
 */
export function outcomeOf(result: CloseResult): CloseOutcome {
  switch (result.state) {
    case 'closed': {
      const { receipt } = result.receipt;
      return { result: 'closed', receipt, text: `closed, receipt ${receipt}` };
    }
    case 'asleep': {
      const { receipt } = result.receipt;
      return { result: 'closed', receipt, text: `put to sleep, receipt ${receipt}` };
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
      return failed('failed', result.text);
    case 'timed-out':
      return failed('timed-out', result.text);
    case 'vanished':
      return failed('vanished', 'it is gone, and rollcall did not close it');
    case 'unrecorded':
      return failed(
        'unrecorded',
        `${result.isGone ? 'it is gone' : 'it stands'}, unrecorded: ${result.text}`,
      );
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
