import { type ClosedSession, findReceipt } from '../../../core/close/find-receipt.ts';
import { receiptName } from '../../../core/ledger/current-facts.ts';
import type { LedgerEntry } from '../../../core/ledger/entry.ts';
import { WRITER } from '../../../core/lock/subject.ts';
import { shownCommand } from '../../../core/text/mask-secrets.ts';
import { visible } from '../../../core/text/visible.ts';
import { holdingText, type Trouble, trouble, writerBusy } from '../trouble.ts';
import type { ReopenResult } from './order.ts';

export type Reopened = Extract<ReopenResult, { state: 'reopened' }>;

/** The one closed session that a word names, or why there is none. */
export function closedAs(entries: readonly LedgerEntry[], word: string): ClosedSession | Trouble {
  const found = findReceipt(entries, word);
  if (found.state === 'one') return found.closed;
  if (found.state === 'none') {
    return trouble('not-found', `nothing that rollcall closed or started is called '${word}'`, {
      hint: 'rollcall log shows receipts',
    });
  }
  return trouble('ambiguous', `'${word}' may be any of ${found.closed.length} sessions`, {
    details: found.closed.map(({ facts, receipt }) => {
      const from = receipt === null ? 'no receipt' : `receipt ${receiptName(receipt)}`;
      return `${facts.name}  ${from}  key ${facts.key}`;
    }),
    hint: 'give the receipt or the key',
  });
}

/** The session that is there again, or why it is not. */
export function reopenedOr(result: ReopenResult, now: number): Reopened | Trouble {
  switch (result.state) {
    case 'reopened':
      return result;
    case 'lives':
      return trouble('refused', `${result.text}: session '${result.entry.name}'`, {
        hint: `rollcall explain ${result.entry.key}`,
      });
    case 'over':
      return trouble('refused', result.text, { hint: 'rollcall restore --dry-run lists what is lost now' });
    case 'outlived':
      return trouble('refused', `${result.kind} still runs at it: pid ${result.pids.join(', ')}`, {
        hint: 'end it, or go on there; rollcall doctor tells what outlived its session',
      });
    case 'silent':
      return trouble('refused', silentText(result), { hint: silentHint(result) });
    case 'folders-missing':
      return trouble('failed', `its folder is gone: ${visible(result.folders.join(', '))}`, {
        hint: `make it again, and reopen it then: ${offered(result.offers)}`,
      });
    case 'program-missing':
      return trouble('failed', `its program is gone: ${result.program}`, {
        hint: 'install it again, there or on your PATH, and reopen it then; its receipt stays',
      });
    case 'name-taken':
      return trouble('refused', `there is a session '${result.name}' already`, {
        hint: 'choose another with --name, or let rollcall add a number: --on-collision suffix',
      });
    case 'not-kept':
      return trouble('failed', `it cannot be made again: ${result.text}`);
    case 'changed':
      return trouble('refused', `its archive is not as it was written: ${result.path}`, {
        hint: byHand(result, 'look at session.json there'),
      });
    case 'unsealed':
      return trouble('refused', `nothing tells whether its archive is as it was written: ${result.path}`, {
        hint: byHand(
          result,
          'its receipt is of a version that recorded no digest; look at session.json there, then --unsealed',
        ),
      });
    case 'died':
      return trouble('failed', `'${result.name}' was made again, and its program ended at once`, {
        details: [...(result.end?.screen ?? []), ...result.missing],
        hint: 'its receipt stays; try the command of its agent by hand',
      });
    case 'unrecorded':
      return trouble('failed', `'${result.name}' is there again, but the ledger: ${result.error.message}`, {
        hint: `${result.error.hint}; the next rollcall command that changes anything records it`,
      });
    case 'busy':
      if (result.by.name === WRITER.name) return writerBusy(result.by, now);
      return trouble('refused', `it is being reopened by ${holdingText(result.by, now)}`);
    case 'failed':
      return trouble('failed', result.text, { hint: result.hint });
  }
}

// git has a worktree registered whose folder somebody removed, and then asks for -f.
function offered(offers: readonly string[]): string {
  if (offers.length === 0) return 'for instance with git worktree add';
  return `${offers.join('; ')}${offers.some((one) => one.startsWith('git ')) ? ' (with -f where git still has it registered)' : ''}`;
}

// By what the ledger has, and not by what somebody may have written into the archive.
function byHand({ resume }: Extract<ReopenResult, { state: 'changed' | 'unsealed' }>, look: string): string {
  return resume === null ? look : `${look}; or start its agent by hand: ${shownCommand(resume, 500)}`;
}

function silentText({ kind, pids }: Extract<ReopenResult, { state: 'silent' }>): string {
  const who = `${kind} (pid ${pids.join(', ')}) runs`;
  return `${who} and has not said which conversation it is in: it may be this one`;
}

function silentHint({ isYoung }: Extract<ReopenResult, { state: 'silent' }>): string {
  return isYoung ? 'wait a minute and try again, or end it' : 'end it, or go on there';
}
