import { fitLine, type Line, line, span } from '../render/line.ts';
import { wrap } from '../render/wrap.ts';
import { pageRows } from './layout.ts';
import type { WatchState } from './state.ts';
import { explainView } from './view-explain.ts';
import { rollView } from './view-roll.ts';

const KEYS = [
  ['↑ ↓  j k', 'select a session, or scroll'],
  ['PgUp PgDn', 'a page up or down'],
  ['g G', 'first, last'],
  ['Enter e', 'explain: evidence, closing checklist, processes'],
  ['/', 'filter by words; Enter keeps it, Esc clears it'],
  ['l', 'one lifecycle after the other, then all'],
  ['r', 'look now'],
  ['Esc', 'back, or show all again'],
  ['q Ctrl-C', 'quit'],
] as const;

/** All keys. */
function helpView(state: WatchState): Line[] {
  const rows = pageRows(state);
  const keys = KEYS.flatMap(([key, effect]) =>
    wrap([span(`  ${key.padEnd(11)}`, 'heading')], line(effect), state.columns),
  );
  const body = [line(), ...keys, line(), line('  Looking changes nothing: watch only reads.', 'quiet')];
  return [
    ...(state.rows >= 3 ? [line('rollcall watch: keys', 'heading')] : []),
    ...Array.from({ length: rows }, (_, row) => body[row] ?? line()),
    ...(state.rows >= 2 ? [line('any key goes back', 'quiet')] : []),
  ];
}

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
