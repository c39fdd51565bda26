import type { Line } from '../render/line.ts';
import { fitLine, line } from '../render/line.ts';
import type { WatchState } from './state.ts';
import { explainView } from './view-explain.ts';
import { helpView } from './view-help.ts';
import { rollView } from './view-roll.ts';

/** The screen for a state: exactly as many lines as it has rows, none wider than its columns. */
export function view(state: WatchState): Line[] {
  const lines = pageView(state).map((pieces) => fitLine(pieces, Math.max(0, state.columns)));
  return Array.from({ length: Math.max(0, state.rows) }, (_, row) => lines[row] ?? line());
}

function pageView(state: WatchState): Line[] {
  const { page } = state;
  if (state.isHelpShown) return helpView(state);
  switch (page.kind) {
    case 'roll':
    case 'typing':
      return rollView(state);
    case 'explain':
      return explainView(state, page);
  }
}
