import { age, shortDuration } from '../render/amounts.ts';
import { fitLine, type Line, line, lineWidth, padLine, type Span, span } from '../render/line.ts';
import { joinParts } from '../roll/summary.ts';
import { pageRows } from './layout.ts';
import type { WatchState } from './state.ts';

// A look usually takes a fraction of this; only a slow one is worth a number that counts up.
const SLOW_LOOK_MS = 2000;

/** As many of the parts as fit on one line, with `right` at its far end; `right` is kept longest. */
export function titleLine(parts: readonly Span[], right: Line, columns: number): Line {
  const room = columns - lineWidth(right) - 2;
  const left = joinParts(parts, Math.max(0, room))[0] ?? line();
  if (room < lineWidth(left.slice(0, 1))) return fitLine(left, columns);
  return [...padLine(left, room + 2), ...right];
}

/** How old what is shown is, and whether a look is under way. */
export function freshness(state: WatchState, seenAt: number | null, isCloser = false): Line {
  const seen = seenAt === null ? '' : `seen ${age(seenAt, state.now)}`;
  if (state.lookingSince === null) return line(seen, state.failure === null ? 'quiet' : 'alarm');
  const waitedMs = state.now - state.lookingSince;
  const looking = isCloser ? 'looking closer…' : 'looking…';
  const words = waitedMs >= SLOW_LOOK_MS ? `${looking} for ${shortDuration(waitedMs)}` : looking;
  return [span(words, 'calm'), ...(seen === '' ? [] : [span(` · ${seen}`, 'quiet')])];
}

/** Key hints, as many as fit. */
export function hintLine(hints: readonly (readonly [string, string])[], columns: number): Line {
  const shown: Span[] = [];
  for (const [key, effect] of hints) {
    const hint = [span(shown.length === 0 ? key : `  ${key}`, 'heading'), span(` ${effect}`, 'quiet')];
    if (lineWidth([...shown, ...hint]) > columns) break;
    shown.push(...hint);
  }
  return shown;
}

/** A page of a title, rows of text, and a last line; on a low screen the text comes first. */
export function framed(state: WatchState, title: Line, body: readonly Line[], last: Line): Line[] {
  return [
    ...(state.rows >= 3 ? [title] : []),
    ...filled(body, pageRows(state)),
    ...(state.rows >= 2 ? [last] : []),
  ];
}

/** So many rows: what is too much is cut, what is missing is empty. */
export function filled(lines: readonly Line[], rows: number): Line[] {
  return Array.from({ length: Math.max(0, rows) }, (_, row) => lines[row] ?? line());
}
