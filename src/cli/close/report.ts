import type { ListedProcess } from '../../core/close/listing.ts';
import type { CloseReport } from '../../core/close/report.ts';
import { doubtOf, type KeptConversation } from '../../core/conversation/kept.ts';
import type { SessionEntry } from '../../core/sight/roll.ts';
import { shownCommand } from '../../core/text/mask-secrets.ts';
import type { Activity, Blocker, BlockerKind } from '../../core/verdict/verdict.ts';
import type { CloseProgress } from '../../engine/act/close/order.ts';
import { longBytes } from '../render/amounts.ts';
import { type Line, span } from '../render/line.ts';
import { wrap } from '../render/wrap.ts';

const RUNG_WIDTH = 9;

/** What was asked for: a word for it in its past, for what did not come about. */
export interface ReportOptions {
  readonly isDryRun?: boolean;
  readonly done?: 'closed' | 'put to sleep';
}

/** What became of one session, or would, for people; no line is wider than that, where a width is given. */
export function closeLines(
  report: CloseReport,
  width: number | null = null,
  asked: ReportOptions = {},
): Line[] {
  return reportLines(report, asked).flatMap((one) => broken(one, width));
}

function reportLines(report: CloseReport, { isDryRun = false, done = 'closed' }: ReportOptions): Line[] {
  const { name, text, exitCode, hint, blockers, protections, waived, planned } = report;
  const isGood = exitCode === 0;
  const not = isDryRun ? `would not be ${done}` : `not ${done}`;
  const head = isGood || report.result === 'unrecorded' ? text : `${not}: ${text}`;
  return [
    [span(`${name}: ${head}`, isGood ? undefined : 'warning')],
    ...protections.map((one) => [span(`  protected: ${one.text} (${one.code})`)]),
    ...blockers.map((one) => [span(`  ${STANDS[one.kind]}: ${one.text} (${one.code})`)]),
    ...waived.map((one) => [span(`  set aside: ${one.text} (${one.code})`)]),
    ...planned.map((one) => [span(`  ${one.rung.padEnd(RUNG_WIDTH)}  ${one.text}`)]),
    ...receiptLines(report),
    ...(hint === null ? [] : [[span(`  hint: ${hint}`, 'quiet')]]),
  ];
}

const STANDS: Readonly<Record<BlockerKind, string>> = { 'would-lose': 'blocked', unfinished: 'unfinished' };

// What goes on in a further line stands under its beginning.
function broken(whole: Line, width: number | null): Line[] {
  const [{ text, tone } = span(''), ...more] = whole;
  const [indent = ''] = /^ */.exec(text) ?? [];
  return wrap([span(indent)], [span(text.slice(indent.length), tone), ...more], width);
}

function receiptLines({ receipt }: CloseReport): Line[] {
  if (receipt === null) return [];
  const { archive, resume, conversations = [], survivors, notes } = receipt;
  return [
    ...(archive === null ? [] : [[span(`  kept in ${archive}`, 'quiet')]]),
    ...(!resume?.length ? [] : [[span(`  its conversation: ${shownCommand(resume, 4096)}`, 'quiet')]]),
    ...conversations.flatMap(conversationLines),
    ...survivors.map((one) => [span(`  still runs: ${one.program} (pid ${one.pid})`, 'alarm')]),
    ...notes.map((note) => [span(`  ${note}`, 'warning')]),
  ];
}

function conversationLines(one: KeptConversation): Line[] {
  const doubt = doubtOf(one);
  if (doubt !== null) return [[span(`  ${doubt}`, 'warning')]];
  const size = longBytes(one.copyBytes ?? 0);
  const text = `  resumable as long as its copy is kept (${size}); it was read after its agent had left`;
  return [[span(text, 'quiet')]];
}

const BEGUN = {
  archive: 'keeping what it shows and was started with',
  ask: 'asking its agent to leave',
  terminate: 'sending SIGTERM',
  kill: 'sending SIGKILL',
  sleep: 'putting its sleeper in its place',
  remove: 'removing the session',
  sweep: 'looking for what it left behind',
} as const;

/** How a close goes on, in one line; null where a line would say nothing new. */
export function progressLine(progress: CloseProgress, isLive: boolean): Line | null {
  const { name } = progress;
  switch (progress.state) {
    case 'waits':
      return [span(`${name}: waiting: ${progress.text}`, 'quiet')];
    case 'begins':
      return isLive
        ? [span(`${name}: ${progress.rung.padEnd(RUNG_WIDTH)}  ${BEGUN[progress.rung]} …`, 'quiet')]
        : null;
    case 'over': {
      const { rung, result, text, startedAt, endedAt } = progress.report;
      const seconds = ((endedAt - startedAt) / 1000).toFixed(1);
      const tone = result === 'failed' ? 'alarm' : result === 'unanswered' ? 'warning' : undefined;
      return [span(`${name}: ${rung.padEnd(RUNG_WIDTH)}  ${result} (${seconds} s)  ${text}`, tone)];
    }
  }
}

type Forced = Pick<SessionEntry, 'name' | 'activity' | 'blockers'>;

/**
 * What a forced close may lose, what is only unfinished and stays as it is, and every process that it ends or leaves alone,
 * said before it is done.
 */
export function lossLines({ name, activity, blockers }: Forced, processes: readonly ListedProcess[]): Line[] {
  if (blockers.length === 0 && processes.length === 0) return [];
  const losses = blockers.filter(({ kind }) => kind === 'would-lose');
  const unfinished = blockers.filter(({ kind }) => kind === 'unfinished');
  const needless =
    losses.length === 0 ? ', though nothing would be lost: it closes without --force as well' : '';
  return [
    [span(`${name}: forced${needless}`, 'warning')],
    ...losses.map((one) => [span(`  ${lossIn(one, activity)}: ${one.text} (${one.code})`)]),
    ...unfinished.map(({ code, text }) => [span(`  unfinished, stays as it is: ${text} (${code})`)]),
    ...processes.map(fateLine),
  ];
}

function lossIn({ code }: Blocker, activity: Activity): string {
  const what = code === 'at-rest' ? LOST_WITH[activity] : LOSSES[code];
  return what === undefined ? 'may be lost' : `may lose ${what}`;
}

const LOST_WITH: Readonly<Partial<Record<Activity, string>>> = {
  working: 'what it is working on',
  waiting: 'what it asks',
  starting: 'what it begins',
  none: 'what only this terminal knows',
};

const LOSSES: Readonly<Record<string, string>> = {
  confirmed: 'a turn that is not over yet',
  'nothing-running': 'what runs in it',
  'nothing-outside': 'what it left running',
  'nothing-unsent': 'what is typed and not sent',
  'nobody-there': 'what somebody does in it',
  'windows-own': 'the session, not the windows that it shares',
  'finished-or-resumable': 'its conversation',
};

function fateLine({ program, pid, what, why }: ListedProcess): Line {
  return [span(`  ${FATE[what]}: ${program} (pid ${pid})${why === null ? '' : `: ${why}`}`)];
}

const FATE = { end: 'ends', 'hang-up': 'loses its terminal', keep: 'is left alone' } as const;
