import type { Skipped } from '../../contract/history-documents.ts';
import type { ReapReport, Tally } from '../../core/history/reap-report.ts';
import type { ReapEvent } from '../../core/reaper/standing.ts';
import { counted } from '../../core/text/counted.ts';
import { gapTexts, lastOf, section, skippedTexts, twoUnits } from '../backtest/history-words.ts';
import { localTime, longBytes } from '../render/amounts.ts';
import type { Line } from '../render/line.ts';
import { paragraph } from '../render/wrap.ts';

export interface ReportContext extends Skipped {
  /** Why the ledger says nothing. */
  readonly problem: string | null;
}

const SHOWN_EVENTS = 30;

/** The page of `rollcall reap report`. */
export function reapReportLines(report: ReapReport, context: ReportContext, width: number | null): Line[] {
  const aside = [...skippedTexts(context), ...(context.problem === null ? [] : [context.problem])];
  if (report.from === null && report.events.length === 0) {
    return [...paragraph(NOTHING_YET, width), ...section('NOTES', aside, width)];
  }
  return [
    ...paragraph(doneText(report), width),
    ...section('WATCHED', watchedTexts(report), width),
    ...section('WHAT IT DID', eventTexts(report.events), width),
    ...section('WHAT KEPT SESSIONS THAT COULD HAVE GONE', report.vetoes.map(tallyText), width),
    ...section('WHY CHOSEN ONES WERE SPARED', report.spared.map(tallyText), width),
    ...section('NOT WATCHED', gapTexts(report.gaps), width),
    ...section('NOTES', aside, width),
  ];
}

const NOTHING_YET =
  'Nothing was recorded in that time. The daemon records while it runs: start it with rollcall up. The reaper is in shadow mode unless you change it, so nothing is touched.';

function doneText({ counts, freedBytes, couldFreeBytes }: ReapReport): string {
  const done = [
    ...(counts.closed > 0
      ? [`closed ${counted(counts.closed, 'session')}, ${longBytes(freedBytes)} given back`]
      : []),
    ...(counts['would-close'] > 0
      ? [`would have closed ${counted(counts['would-close'], 'session')}, ${longBytes(couldFreeBytes)}`]
      : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(counts.spared > 0 ? [`${counts.spared} spared during their grace`] : []),
  ];
  const trips = counts['breaker-tripped'];
  const broken =
    trips === 0
      ? ''
      : ` Its breaker tripped ${counted(trips, 'time')}: rollcall reap mode says how it stands.`;
  return done.length === 0
    ? `The reaper closed nothing, and would have closed nothing.${broken}`
    : `The reaper ${done.join('; ')}.${broken}`;
}

function watchedTexts({ from, to, watchedMs, tiers, modes }: ReapReport): string[] {
  if (from === null || to === null) return ['the history is lost: this is what the ledger tells'];
  const shares = (parts: readonly (readonly [string, number])[]) =>
    parts.flatMap(([word, ms]) => (ms > 0 ? [`${word} ${twoUnits(ms)}`] : [])).join(', ');
  const pressures = shares(tiers.map(({ tier, ms }) => [tier, ms]));
  const mode = shares(modes.map((one) => [one.mode, one.ms]));
  return [
    `${twoUnits(watchedMs)} between ${localTime(from)} and ${localTime(to)}`,
    ...(pressures === '' ? [] : [`memory pressure: ${pressures}`]),
    ...(mode === '' ? [] : [`mode: ${mode}`]),
  ];
}

const VERBS: Readonly<Record<ReapEvent['kind'], string>> = {
  chosen: 'chosen',
  spared: 'spared',
  'would-close': 'would close',
  closed: 'closed',
  skipped: 'skipped',
  failed: 'failed',
  vetoed: 'vetoed',
  'breaker-tripped': 'breaker tripped',
  'mode-changed': 'mode changed',
};

/** What only led to another event is not told. */
const UNTOLD: ReadonlySet<ReapEvent['kind']> = new Set(['chosen', 'spared', 'vetoed']);

function eventTexts(events: readonly ReapEvent[]): string[] {
  return lastOf(events.filter(({ kind }) => !UNTOLD.has(kind)).map(eventText), SHOWN_EVENTS);
}

function eventText({ kind, at, session, text, memoryBytes, receipt }: ReapEvent): string {
  const about = session === null ? '' : ` ${session.name}`;
  const freed = memoryBytes === null ? '' : `, ${longBytes(memoryBytes)}`;
  const kept = receipt === null ? '' : ` (receipt ${receipt})`;
  return `${localTime(at)}  ${VERBS[kind]}${about}${freed}: ${text}${kept}`;
}

function tallyText({ code, times, sessions, text }: Tally): string {
  return `${code}: ${counted(times, 'time')}, ${counted(sessions, 'session')}; last: ${text}`;
}
