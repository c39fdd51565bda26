import type { Tone } from './colour.ts';
import { fitLine, type Line, line, lineWidth, padLine, type Span, span } from './line.ts';
import { breakText, displayWidth } from './width.ts';

// Below this much room for the body, a hanging indent would leave a column of syllables.
const LEAST_BODY = 16;

/**
 * Breaks `body` at blanks into lines of at most `width` cells that hang under the end of `prefix`. A word that is
 * wider than a line is broken inside. Without a width everything stays on one line.
 */
export function wrap(prefix: Line, body: Line, width: number | null): Line[] {
  if (width === null) return [[...prefix, ...body]];
  const hang = hangOf(lineWidth(prefix), width);
  const lines: Line[] = [];
  let current: Span[] = [...fitLine(prefix, Math.max(0, width - 1))];
  let room = width - lineWidth(current);
  let isFresh = true;
  const put = (text: string, tone: Tone | undefined) => {
    if (text === '') return;
    current.push(span(text, tone));
    room -= displayWidth(text);
    isFresh = false;
  };
  const turn = () => {
    lines.push(current);
    current = [...padLine([], hang)];
    room = width - hang;
    isFresh = true;
  };
  for (const { text, tone, hasBlank } of words(body)) {
    const blank = hasBlank && !isFresh ? ' ' : '';
    if (displayWidth(text) + blank.length <= room) {
      put(blank + text, tone);
      continue;
    }
    if (!isFresh || room < Math.min(LEAST_BODY, width - hang)) turn();
    for (const [index, part] of breakText(text, Math.max(1, room)).entries()) {
      if (index > 0) turn();
      put(part, tone);
    }
  }
  lines.push(current);
  return lines.map((pieces) => fitLine(pieces, width));
}

/** A paragraph, with so many blanks before each of its lines. */
export function paragraph(text: string, width: number | null, indent = 0, tone?: Tone): Line[] {
  return wrap(padLine([], indent), line(text, tone), width);
}

interface Word {
  readonly text: string;
  readonly tone: Tone | undefined;
  /** A blank stands before it, in the same piece. */
  readonly hasBlank: boolean;
}

function words(body: Line): Word[] {
  return body.flatMap(({ text, tone }) =>
    text.split(' ').map((word, index) => ({ text: word, tone, hasBlank: index > 0 })),
  );
}

function hangOf(prefixWidth: number, width: number): number {
  return width - prefixWidth >= LEAST_BODY ? prefixWidth : Math.max(0, Math.min(prefixWidth, 2, width - 2));
}
