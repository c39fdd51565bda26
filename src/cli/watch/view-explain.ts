import { explainLines } from '../explain/render-explain.ts';
import { type Line, span } from '../render/line.ts';
import { pageRows } from './layout.ts';
import type { ExplainPage, WatchState } from './state.ts';
import { framed, freshness, hintLine, titleLine } from './view-parts.ts';

const HINTS = [
  ['Esc', 'back'],
  ['↑↓', 'scroll'],
  ['r', 'look again'],
  ['?', 'help'],
] as const;

/** One session in full, as far down as it was scrolled. */
export function explainView(state: WatchState, page: ExplainPage): Line[] {
  const all = explainPageLines(state, page);
  const rows = pageRows(state);
  const top = Math.min(page.top, Math.max(0, all.length - rows));
  const part = all.slice(top, top + rows);
  const title = titleLine(
    [span('explain', 'heading'), span(position(top, part.length, all.length), 'quiet')],
    freshness(state, page.roll.at, !page.isThorough),
    state.columns,
  );
  return framed(state, title, part, status(state, page));
}

function status(state: WatchState, page: ExplainPage): Line {
  if (page.isGone) return [span('! ', 'alarm'), span('it is gone from the roll; this was seen before')];
  if (state.failure !== null) return [span('! ', 'alarm'), span(`could not look: ${state.failure}`)];
  return hintLine(HINTS, state.columns);
}

function position(top: number, shown: number, all: number): string {
  return shown >= all ? 'all of it' : `lines ${top + 1} to ${top + shown} of ${all}`;
}

/** The whole text of the page, of which the screen shows a part. */
export function explainPageLines(
  { columns, now }: Pick<WatchState, 'columns' | 'now'>,
  { roll, entry }: Pick<ExplainPage, 'roll' | 'entry'>,
): Line[] {
  return explainLines({ roll, entry, now, width: columns });
}
