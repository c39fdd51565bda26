import type { Tone } from './colour.ts';
import { type Line, line, span } from './line.ts';
import { pad } from './width.ts';
import { wrap } from './wrap.ts';

/** Blocks of lines with an empty line between them; blocks without a line are left out. */
export function page(blocks: readonly (readonly Line[])[]): Line[] {
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : [line(), ...block]));
}

/** Lines under a heading; nothing where there are none. */
export function section(title: string, body: readonly Line[]): Line[] {
  return body.length === 0 ? [] : [line(title, 'heading'), ...body];
}

interface Label {
  /** Cells before the label. */
  readonly indent?: number;
  /** Cells of the label, with the blanks behind it. */
  readonly room: number;
  readonly tone?: Tone;
}

/** A text beside its label: where the text is longer than a line, it goes on below its own beginning. */
export function labelled(
  label: string,
  text: string | Line,
  width: number | null,
  { indent = 0, room, tone }: Label,
): Line[] {
  const head = span(`${' '.repeat(indent)}${pad(label, room)}`, tone);
  return wrap([head], typeof text === 'string' ? line(text) : text, width);
}
