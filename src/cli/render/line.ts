import { visible } from '../../core/text/visible.ts';
import { paint, type Tone } from './colour.ts';
import { displayWidth, fitText, pad } from './width.ts';

declare const SAFE: unique symbol;

/** Text that may be printed. Only `span` makes one, and it lets no raw control or bidi character through. */
export interface Span {
  readonly [SAFE]: true;
  readonly text: string;
  readonly tone?: Tone;
}

/** One line of the screen, in pieces. Widths are always measured on the pieces, never on painted text. */
export type Line = readonly Span[];

/** The one gate between what rollcall saw and what a terminal gets (S54). */
export function span(text: string, tone?: Tone): Span {
  return { text: visible(text), ...(tone === undefined ? {} : { tone }) } as Span;
}

/** A line of one piece, or of none. */
export function line(text = '', tone?: Tone): Line {
  return text === '' ? [] : [span(text, tone)];
}

/** Cells that the line takes. */
export function lineWidth(pieces: Line): number {
  return pieces.reduce((sum, piece) => sum + displayWidth(piece.text), 0);
}

/** The line in at most `width` cells, cut at the end with `…`; null is a width without bounds. */
export function fitLine(pieces: Line, width: number | null): Line {
  if (width === null || lineWidth(pieces) <= width) return pieces;
  const kept: Span[] = [];
  let room = width;
  for (const piece of pieces) {
    const own = displayWidth(piece.text);
    // A piece that fills the room exactly is cut too, so that the reader sees that more would follow.
    if (own >= room) return [...kept, recut(piece, cutTo(piece.text, room))];
    kept.push(piece);
    room -= own;
  }
  return kept;
}

/** The line with blanks up to `width` cells. */
export function padLine(pieces: Line, width: number, side: 'left' | 'right' = 'left'): Line {
  const blanks = width - lineWidth(pieces);
  if (blanks <= 0) return pieces;
  const filler = span(pad('', blanks));
  return side === 'left' ? [...pieces, filler] : [filler, ...pieces];
}

/** The same line in one tone, for the row that is selected. */
export function toned(pieces: Line, tone: Tone): Line {
  return [span(pieces.map((piece) => piece.text).join(''), tone)];
}

/** The line as it goes to the terminal. */
export function printLine(pieces: Line, isColor: boolean): string {
  return pieces.map((piece) => paint(piece.text, piece.tone, isColor)).join('');
}

/** Lines as one text, without blanks at line ends. */
export function printLines(lines: readonly Line[], isColor: boolean): string {
  return lines.map((pieces) => `${printLine(trimEnd(pieces), isColor)}\n`).join('');
}

function trimEnd(pieces: Line): Line {
  const last = pieces.at(-1);
  if (last === undefined) return pieces;
  const text = last.text.trimEnd();
  if (text === '') return trimEnd(pieces.slice(0, -1));
  return text === last.text ? pieces : [...pieces.slice(0, -1), recut(last, text)];
}

function cutTo(text: string, room: number): string {
  return displayWidth(text) > room ? fitText(text, room) : fitText(`${text}…`, room);
}

function recut(piece: Span, text: string): Span {
  return span(text, piece.tone);
}
