import { displayWidth, splitAt } from '../width.ts';
import type { Line, Span } from './line.ts';
import { fitLine, line, lineWidth, padLine, span } from './line.ts';

// Below this much room for the body, a hanging indent would leave a column of syllables.
const LEAST_BODY = 16;

/**
 * Breaks `body` at blanks into lines of at most `width` cells that hang under the end of `prefix`. A word that is
 * wider than a line is broken inside. Without a width everything stays on one line.
 */
export function wrap(prefix: Line, body: Line, width: number | null): Line[] {
  if (width === null) return [[...prefix, ...body]];
  const hang = hangOf(lineWidth(prefix), width);
  const indent = padLine([], hang);
  const lines: Line[] = [];
  let current: Span[] = [...fitLine(prefix, Math.max(0, width - 1))];
  let room = width - lineWidth(current);
  let isEmpty = true;
  const next = () => {
    lines.push(current);
    current = [...indent];
    room = width - hang;
    isEmpty = true;
  };
  for (const piece of body) {
    for (const [index, word] of piece.text.split(' ').entries()) {
      const blank = index > 0 && !isEmpty ? ' ' : '';
      let rest = word;
      if (displayWidth(rest) + blank.length <= room) {
        current.push(span(blank + rest, piece.tone));
        room -= displayWidth(rest) + blank.length;
        isEmpty &&= rest === '';
        continue;
      }
      if (!isEmpty || room < Math.min(LEAST_BODY, width - hang)) next();
      while (displayWidth(rest) > room) {
        const [first, remaining] = splitAt(rest, room);
        current.push(span(first, piece.tone));
        rest = remaining;
        next();
      }
      if (rest !== '') current.push(span(rest, piece.tone));
      room -= displayWidth(rest);
      isEmpty &&= rest === '';
    }
  }
  lines.push(current);
  return lines.map((pieces) => fitLine(pieces, width));
}

/** A paragraph without a prefix. */
export function paragraph(text: string, width: number | null, indent = 0): Line[] {
  return wrap(padLine([], indent), line(text), width);
}

function hangOf(prefixWidth: number, width: number): number {
  return width - prefixWidth >= LEAST_BODY ? prefixWidth : Math.max(0, Math.min(2, width - 2));
}
