import { offerText } from '../../core/restore/offer.ts';
import type { SessionEntry } from '../../core/roll.ts';
import type { Line } from './line.ts';
import { line, span } from './line.ts';
import { wrap } from './wrap.ts';

/** What was lost with its server and can be restored; nothing where nothing was. */
export function lostLines(lost: readonly SessionEntry[], width: number | null): Line[] {
  if (lost.length === 0) return [];
  return [line('LOST', 'heading'), ...wrap([span('  ')], line(offerText(lost), 'warning'), width), line()];
}
