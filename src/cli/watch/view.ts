import { fitLine, type Line, line } from '../render/line.ts';
import { labelled } from '../render/page.ts';
import type { WatchState } from './state.ts';
import { explainView } from './view-explain.ts';
import { filled, framed } from './view-parts.ts';
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

/** The screen for a state: exactly as many lines as it has rows, none wider than its columns. */
export function view(state: WatchState): Line[] {
  const lines = pageView(state).map((pieces) => fitLine(pieces, Math.max(0, state.columns)));
  return filled(lines, state.rows);
}

function pageView(state: WatchState): Line[] {
  const { page } = state;
  if (state.isHelpShown) return helpView(state);
  return page.kind === 'explain' ? explainView(state, page) : rollView(state);
}

function helpView(state: WatchState): Line[] {
  const keys = KEYS.flatMap(([key, effect]) =>
    labelled(key, effect, state.columns, { indent: 2, room: 11, tone: 'heading' }),
  );
  const body = [line(), ...keys, line(), line('  Looking changes nothing: watch only reads.', 'quiet')];
  return framed(state, line('rollcall watch: keys', 'heading'), body, line('any key goes back', 'quiet'));
}
