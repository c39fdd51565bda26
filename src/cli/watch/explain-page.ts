import { explainLines } from '../explain/render-explain.ts';
import type { Line } from '../render/line.ts';
import type { ExplainPage, WatchState } from './state.ts';

/** The whole text of the page, of which the screen shows a part. */
export function explainPageLines(
  { columns, now }: Pick<WatchState, 'columns' | 'now'>,
  { roll, entry }: Pick<ExplainPage, 'roll' | 'entry'>,
): Line[] {
  return explainLines({ roll, entry, now, width: columns });
}
