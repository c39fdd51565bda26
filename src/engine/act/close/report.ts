import { closingPanes } from '../../../core/close/closing-pane.ts';
import { type CloseWish, decideClose } from '../../../core/close/decide.ts';
import { plannedRungs } from '../../../core/close/ladder.ts';
import { type ListedProcess, listing } from '../../../core/close/listing.ts';
import type { Receipt } from '../../../core/close/receipt.ts';
import type { CloseReport } from '../../../core/close/report.ts';
import { EXIT_CODES, type ExitName } from '../../../core/exit-codes.ts';
import { LedgerError } from '../../../core/ledger/ledger-error.ts';
import { WRITER } from '../../../core/lock/subject.ts';
import { endWords } from '../../../core/memory/ended.ts';
import { processKey } from '../../../core/sight/identity.ts';
import type { Roll, SessionEntry } from '../../../core/sight/roll.ts';
import type { Hands } from '../hands.ts';
import { agentToSleep, awayOrAsleep } from '../sleep/plan-sleep.ts';
import { memoryWords } from '../sleep/sleeper.ts';
import { holdingText } from '../trouble.ts';
import { subjectOf } from './look-at.ts';
import type { CloseResult, Stopped } from './order.ts';

const NOTHING = {
  hint: null,
  blockers: [],
  protections: [],
  waived: [],
  planned: [],
  processes: [],
  rungs: [],
  receipt: null,
};

/** What became of one session, for the document and for people. */
export function reportOn(
  entry: SessionEntry,
  result: CloseResult,
  now: number,
  processes: readonly ListedProcess[] = [],
): CloseReport {
  const { name, ended } = entry;
  const said = (result: Result, exit: ExitName, text: string, more: Partial<CloseReport> = {}) =>
    reportAs(entry, result, exit, text, { processes, ...more });
  switch (result.state) {
    case 'asleep': {
      const { receipt } = result;
      return said('asleep', 'done', asleepText(receipt), { receipt, hint: `rollcall wake ${name} wakes it` });
    }
    case 'closed':
    case 'gone': {
      const { receipt } = result;
      const gone = ended ? `it ${endWords(ended)}` : 'it was lost';
      const what = result.state === 'closed' ? 'closed' : `${gone}; nothing was touched`;
      return said(result.state, 'done', `${what}, receipt ${receipt.receipt}`, { receipt });
    }
    case 'already-asleep':
    case 'already-closed':
      return said(result.state, 'done', `${result.text}, receipt ${result.receipt}`);
    case 'refused': {
      const { blockers, protections, hint, code, text } = result;
      const state = code === 'already-closing' ? code : 'refused';
      return said(state, 'refused', text, { blockers, protections, hint });
    }
    case 'already-closing':
      if (result.by.name === WRITER.name) {
        return said('failed', 'failed', `another rollcall is writing: ${holdingText(result.by, now)}`, {
          hint: 'nothing was done; try again',
        });
      }
      return said('already-closing', 'refused', `it is being closed by ${holdingText(result.by, now)}`, {
        hint: 'rollcall log shows what becomes of it',
      });
    case 'timed-out':
      return said('timed-out', 'timed-out', result.text, {
        blockers: result.blockers,
        ...done(result),
        hint: hintAfter(result, 'it still stands; give it more time: --timeout'),
      });
    case 'vanished':
      return said('vanished', 'not-found', 'it is gone, and rollcall did not close it');
    case 'unrecorded': {
      const { isGone, text, hint, rungs } = result;
      const what = isGone
        ? 'it is gone, but its receipt is not written'
        : 'it stands, and what was done to it is not recorded';
      return said('unrecorded', 'failed', `${what}: the ledger: ${text}`, {
        rungs,
        hint: `${hint}; the next rollcall command that changes anything completes the record`,
      });
    }
    case 'aborted':
      return said('aborted', 'refused', `stopped on the way: ${result.text}`, {
        ...done(result),
        hint: hintAfter(result, 'it still stands; rollcall explain tells more'),
      });
    case 'failed':
      return said('failed', 'failed', result.text, {
        ...done(result),
        hint: result.hint ?? hintAfter(result, 'it still stands; --force ends what does not end by itself'),
      });
  }
}

function asleepText({ receipt, sleeper }: Receipt): string {
  const bytes = sleeper?.freedBytes ?? null;
  const freed = bytes === null ? '' : `, gave back ${memoryWords(bytes)}`;
  return `asleep${freed}, receipt ${receipt}`;
}

function done({ rungs, receipt = null }: Stopped): Pick<CloseReport, 'rungs' | 'receipt'> {
  return { rungs, receipt };
}

function hintAfter({ receipt }: Stopped, hint: string): string {
  return receipt ? `${hint}; what was ended: rollcall reopen ${receipt.receipt}` : hint;
}

/** A close that threw: what the ledger could not record was not done, or is recovered by the next command. */
export function reportOnError(entry: SessionEntry, error: unknown): CloseReport {
  if (!(error instanceof LedgerError)) throw error;
  return reportAs(entry, 'failed', 'failed', `the ledger: ${error.message}`, { hint: error.hint });
}

type Result = CloseReport['result'];

function reportAs(
  { key, name }: SessionEntry,
  result: Result,
  exit: ExitName,
  text: string,
  more: Partial<CloseReport> = {},
): CloseReport {
  return { key, name, ...NOTHING, ...more, result, exitCode: EXIT_CODES[exit].code, text };
}

/** What closing them would do, by a thorough look. */
export function planAll(
  hands: Hands,
  roll: Roll,
  entries: readonly SessionEntry[],
  wish: CloseWish,
): CloseReport[] {
  const { agents, now } = hands;
  const exitOf = (kind: string) => agents.find((agent) => agent.kind === kind)?.exit;
  return entries.map((entry) => {
    const early = wish.isToSleep ? awayOrAsleep(hands, subjectOf(entry), { entry }) : null;
    if (early !== null) return reportOn(entry, early, now());
    const decision = decideClose(entry, wish);
    if (decision.state === 'gone') return reportAs(entry, 'would-close', 'done', goneText(entry));
    if (decision.state === 'refused') return reportOn(entry, decision, now());
    const panes = closingPanes(entry, roll.at);
    const sleepy = wish.isToSleep ? agentToSleep(entry, panes) : null;
    if (sleepy !== null && 'state' in sleepy) return reportOn(entry, sleepy, now());
    const planned = plannedRungs(panes, wish, exitOf);
    const processes = listing(panes, wish);
    const what = wish.isToSleep ? 'would be put to sleep' : 'would be closed';
    const text = decision.state === 'go' ? what : `${what} once it was seen at rest for longer`;
    const result = wish.isToSleep ? 'would-sleep' : 'would-close';
    return reportAs(entry, result, 'done', text, { planned, waived: decision.waived, processes });
  });
}

function goneText({ lifecycle, ended, reasons }: SessionEntry): string {
  if (lifecycle === 'closed') return reasons[0]?.text ?? 'it is closed';
  return `would be settled: it ${ended ? endWords(ended) : 'is lost'}`;
}

/** What a close of it would signal, for whoever is to be shown before it is done, and for the close itself. */
export function shownOf(
  entry: SessionEntry,
  wish: CloseWish,
  now: number,
): { readonly processes: readonly ListedProcess[]; readonly shown: ReadonlySet<string> } {
  const processes = listing(closingPanes(entry, now), wish);
  return { processes, shown: new Set(processes.filter(({ what }) => what === 'end').map(processKey)) };
}
