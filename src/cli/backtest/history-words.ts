import type { Skipped } from '../../contract/history-documents.ts';
import type { Gap } from '../../core/history/witness.ts';
import { counted } from '../../core/text/counted.ts';
import { localTime } from '../render/amounts.ts';
import { type Line, line } from '../render/line.ts';
import { paragraph } from '../render/wrap.ts';

/** A duration in its two largest units: 3h 2m, 4d 1h, 12s. */
export function twoUnits(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24];
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`;
  if (hours > 0) return minutes > 0 ? `${hours}h ${minutes}m` : `${hours}h`;
  return minutes > 0 ? `${minutes}m` : `${seconds}s`;
}

/** So many of these texts, the last ones, and before them how many are left out. */
export function lastOf(texts: readonly string[], most: number): string[] {
  const left = texts.length - most;
  return [...(left > 0 ? [`${left} more before these; --json has all`] : []), ...texts.slice(-most)];
}

/** Paragraphs under a heading, indented. */
export function section(title: string, texts: readonly string[], width: number | null): Line[] {
  if (texts.length === 0) return [];
  return [
    line(),
    ...paragraph(title, width, 0, 'heading'),
    ...texts.flatMap((text) => paragraph(text, width, 2)),
  ];
}

const SHOWN_GAPS = 5;

/** When nobody looked, the longest first, and only the first few. */
export function gapTexts(gaps: readonly Gap[]): string[] {
  if (gaps.length === 0) return [];
  const lengthOf = ({ from, to }: Gap) => to.at - from.at;
  const longest = gaps.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, SHOWN_GAPS);
  const total = gaps.reduce((sum, gap) => sum + lengthOf(gap), 0);
  return [
    `nobody looked ${counted(gaps.length, 'time')}, ${twoUnits(total)} together; nothing is known of that time`,
    ...longest.map((gap) => `from ${localTime(gap.from.at)} for ${twoUnits(lengthOf(gap))}`),
  ];
}

/** Lines of the history that were of no use. */
export function skippedTexts({ damaged, unknown }: Skipped): string[] {
  return [
    damaged > 0 && `${linesWere(damaged, 'of the history')} cut or garbled, and passed over`,
    unknown > 0 && `${linesWere(unknown, 'of a newer rollcall')} passed over`,
  ].filter((text) => text !== false);
}

function linesWere(amount: number, of: string): string {
  return `${counted(amount, 'line')} ${of} ${amount === 1 ? 'was' : 'were'}`;
}
