import type { BacktestAsked, Skipped } from '../../contract/history-documents.ts';
import type { Aftermath } from '../../core/backtest/aftermath.ts';
import type { BacktestClose, BacktestResult, WithAftermath } from '../../core/backtest/result.ts';
import { type SummaryWords, summaryOf } from '../../core/backtest/summary.ts';
import type { Relief } from '../../core/reaper/standing.ts';
import { counted } from '../../core/text/counted.ts';
import { localTime, longBytes, shortBytes } from '../render/amounts.ts';
import type { Tone } from '../render/colour.ts';
import { type Line, line, span } from '../render/line.ts';
import { type Column, table } from '../render/table.ts';
import { fitText } from '../render/width.ts';
import { paragraph, wrap } from '../render/wrap.ts';
import { gapTexts, section, skippedTexts, twoUnits } from './history-words.ts';

type BacktestContext = Pick<BacktestAsked, 'policy' | 'tier'> & Skipped;

/** How amounts are put in the summary. */
export const BACKTEST_WORDS: SummaryWords = { bytes: longBytes, duration: twoUnits };

/** The page of `rollcall backtest`. */
export function backtestLines(
  result: BacktestResult,
  context: BacktestContext,
  width: number | null,
): Line[] {
  const { closes, gaps } = result;
  return [
    ...paragraph(seenText(result, context), width),
    ...(closes.length === 0 ? [] : [line(), ...closesTable(closes, width)]),
    line(),
    ...paragraph(summaryOf(closes, BACKTEST_WORDS).text, width),
    ...section('WHAT KEPT THE OTHERS', keptTexts(result), width),
    ...section('WHAT THE REAPER DID THEN', recordedTexts(result), width),
    ...section('NOT WATCHED', gapTexts(gaps), width),
    ...section('NOTES', noteTexts(result, context), width),
  ];
}

function seenText(
  { from, to, watchedMs, pressedMs, sessions }: BacktestResult,
  { policy, tier }: BacktestContext,
): string {
  const rules = policy === null ? 'the settings in force' : policy;
  const pressed =
    tier === null
      ? `memory was short for ${twoUnits(pressedMs)} of it`
      : `as if memory pressure had been ${tier} all the time`;
  const span = `between ${localTime(from ?? 0)} and ${localTime(to ?? 0)}`;
  return `${rules}, tried on ${counted(sessions, 'session')} and ${twoUnits(watchedMs)} of records ${span}; ${pressed}`;
}

const WHY: Readonly<Record<Relief, string>> = {
  'retention-over': 'complete',
  'safe-to-close': 'finished',
  'long-idle': 'long idle',
};

const COLUMNS: readonly Column[] = [
  { title: 'SESSION' },
  { title: 'WHEN' },
  { title: 'WHY' },
  { title: 'MEM', side: 'right' },
  { title: 'LATER' },
];
const NAME_WIDTH = 30;

function closesTable(closes: readonly WithAftermath<BacktestClose>[], width: number | null): Line[] {
  const rows = closes.map((close) => [
    line(fitText(span(close.name).text || '""', NAME_WIDTH), 'heading'),
    line(localTime(close.at)),
    line(close.relief === null ? '-' : WHY[close.relief]),
    line(close.memoryBytes === null ? '-' : shortBytes(close.memoryBytes)),
    line(laterText(close.aftermath), LATER_TONES[close.aftermath.kind]),
  ]);
  // What happened later decides, so it is never cut.
  return table(COLUMNS, rows).flatMap(({ head, last }) => wrap(head, last, width));
}

const LATER_TONES: Readonly<Record<Aftermath['kind'], Tone>> = {
  'used-again': 'warning',
  'went-unused': 'good',
  'still-there': 'good',
  'went-unseen': 'doubt',
};

const USES = { turn: 'a new turn', person: 'a person', activity: 'activity' } as const;

function laterText(aftermath: Aftermath): string {
  switch (aftermath.kind) {
    case 'used-again':
      return `used again after ${twoUnits(aftermath.afterMs)}: ${USES[aftermath.how]}`;
    case 'went-unused':
      return `never used again; closed by ${aftermath.by === 'rollcall' ? 'rollcall' : 'others'} after ${twoUnits(aftermath.afterMs)}`;
    case 'still-there':
      return `not used in the ${twoUnits(aftermath.watchedMs)} up to the end of the record`;
    case 'went-unseen':
      return 'not known: it went while nobody looked';
  }
}

function keptTexts({ kept }: BacktestResult): string[] {
  return kept.length === 0 ? [] : [kept.map(({ code, sessions }) => `${code} ${sessions}`).join(', ')];
}

function recordedTexts({ closes, recorded }: BacktestResult): string[] {
  if (recorded.length === 0) return ['it closed nothing, and would have closed nothing'];
  const [then, now] = [new Set(recorded.map(({ key }) => key)), new Set(closes.map(({ key }) => key))];
  const closed = recorded.filter(({ kind }) => kind === 'closed').length;
  const would = new Set(recorded.filter(({ kind }) => kind === 'would-close').map(({ key }) => key)).size;
  const both = [...then].filter((key) => now.has(key)).length;
  return [
    `closed ${counted(closed, 'session')}, would have closed ${counted(would, 'session')}`,
    `${both} of them are in the table above; ${then.size - both} only then, ${now.size - both} only now`,
  ];
}

function noteTexts({ closes }: BacktestResult, context: BacktestContext): string[] {
  const lent = closes.filter((close) => close.lent.length > 0).length;
  return [
    ...(closes.length > 0
      ? ['memory that a close would have given back is not put back into the pressure: fewer may have gone']
      : []),
    ...(lent > 0
      ? [
          `for ${counted(lent, 'session')} git or the screen was asked only later, in a session that was quiet until then`,
        ]
      : []),
    ...skippedTexts(context),
  ];
}
