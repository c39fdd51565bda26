import type { Line } from '../render/line.ts';
import { line, span } from '../render/line.ts';
import { wrap } from '../render/wrap.ts';
import { pageRows } from './layout.ts';
import type { WatchState } from './state.ts';

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
export function helpView(state: WatchState): Line[] {
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
