import { type Line, lineWidth, span } from '../render/line.ts';
import type { WatchState } from './state.ts';
import { hintLine } from './view-parts.ts';

const HINTS = [
  ['q', 'quit'],
  ['?', 'help'],
  ['↑↓', 'select'],
  ['Enter', 'explain'],
  ['/', 'filter'],
  ['l', 'lifecycle'],
  ['r', 'look now'],
] as const;

/** The last line of the roll page: what is typed, else what went wrong, else the filter, else the keys. */
export function rollStatus(state: WatchState): Line {
  if (state.page.kind === 'typing') {
    const typed = [span('/', 'heading'), span(state.filterText), span('▏')];
    return withHints(
      typed,
      [
        ['Enter', 'keep'],
        ['Esc', 'clear'],
      ],
      state.columns,
    );
  }
  if (state.failure !== null) return [span('! ', 'alarm'), span(`could not look: ${state.failure}`)];
  const filters = [
    ...(state.filterText.trim() === '' ? [] : [`“${state.filterText.trim()}”`]),
    ...(state.lifecycle === null ? [] : [state.lifecycle]),
  ];
  if (filters.length === 0) return hintLine(HINTS, state.columns);
  const shown = [span('only ', 'quiet'), span(filters.join(' and '), 'calm')];
  return withHints(shown, [['Esc', 'show all'], ...HINTS], state.columns);
}

function withHints(left: Line, hints: readonly (readonly [string, string])[], columns: number): Line {
  const room = columns - lineWidth(left) - 3;
  return room <= 0 ? left : [...left, span('   '), ...hintLine(hints, room)];
}
