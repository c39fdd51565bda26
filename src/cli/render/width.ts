import { eastAsianWidth } from 'get-east-asian-width';

const ELLIPSIS = '…';
const JOINER = '\u200d';
const EMOJI_STYLE = '\ufe0f';

const PLAIN = /^[\x20-\x7e]*$/;
// Marks and format characters take no cell; soft hyphens and Arabic number signs do, and the medial and final
// Hangul jamo are drawn inside the cells of the leading one.
const ZERO = /^(?![\u00ad\u0600-\u0605\u06dd\u070f\u08e2])[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]$/u;
const PICTOGRAPH = /^\p{Extended_Pictographic}$/u;
const MAY_BE_EMOJI = /^\p{Emoji}$/u;
const SKIN_TONE = /^\p{Emoji_Modifier}$/u;
const FLAG_LETTER = /^\p{Regional_Indicator}$/u;

/** Cells that a terminal gives the text. Where terminals differ on emoji, the width that Unicode recommends. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const glyph of glyphs(text)) width += glyph.width;
  return width;
}

/** The text in at most `width` cells; what does not fit is cut, with `…` in its place, never inside a glyph. */
export function fitText(
  text: string,
  width: number,
  options: { readonly cut?: 'end' | 'middle' } = {},
): string {
  if (width <= 0) return '';
  if (displayWidth(text) <= width) return text;
  const room = width - 1;
  const tailRoom = options.cut === 'middle' ? Math.floor(room / 2) : 0;
  if (PLAIN.test(text)) {
    return text.slice(0, room - tailRoom) + ELLIPSIS + text.slice(text.length - tailRoom);
  }
  const all = glyphs(text);
  const head = fitting(all, room - tailRoom);
  const tail = fitting(all.toReversed(), tailRoom).toReversed();
  return [...head, ELLIPSIS, ...tail].join('');
}

/** The text with blanks up to `width` cells; longer text is left as it is. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return side === 'left' ? text + blanks : blanks + text;
}

/** The text in parts of at most `width` cells, none of them empty; a glyph that is wider is a part of its own. */
export function breakText(text: string, width: number): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const glyph of glyphs(text)) {
    if (part !== '' && used + glyph.width > width) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += glyph.text;
    used += glyph.width;
  }
  return part === '' ? parts : [...parts, part];
}

interface Glyph {
  text: string;
  width: number;
  kind: 'pictograph' | 'flag-letter' | 'other';
}

// One pass, one code point at a time: grapheme rules would merge Indic syllables that terminals draw in several cells.
function glyphs(text: string): Glyph[] {
  const found: Glyph[] = [];
  let last: Glyph | undefined;
  let previous = '';
  for (const character of text) {
    if (isPlain(character)) {
      last = { text: character, width: 1, kind: 'other' };
      found.push(last);
      previous = character;
      continue;
    }
    if (last !== undefined && isPartOf(last, character, previous)) {
      last.text += character;
      if (character === EMOJI_STYLE && MAY_BE_EMOJI.test(previous)) last.width = 2;
      if (last.kind === 'flag-letter' && FLAG_LETTER.test(character)) {
        last.width = 2;
        last.kind = 'other';
      }
    } else {
      last = { text: character, width: widthOf(character), kind: kindOf(character) };
      found.push(last);
    }
    previous = character;
  }
  return found;
}

function isPartOf(last: Glyph, character: string, previous: string): boolean {
  if (ZERO.test(character)) return true;
  if (last.kind === 'flag-letter') return FLAG_LETTER.test(character);
  if (last.kind !== 'pictograph') return false;
  return SKIN_TONE.test(character) || (previous === JOINER && PICTOGRAPH.test(character));
}

function kindOf(character: string): Glyph['kind'] {
  if (FLAG_LETTER.test(character)) return 'flag-letter';
  return PICTOGRAPH.test(character) ? 'pictograph' : 'other';
}

function widthOf(character: string): number {
  return ZERO.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

function isPlain(character: string): boolean {
  return character >= ' ' && character <= '~';
}

/** The first glyphs that fit. */
function fitting(all: readonly Glyph[], width: number): string[] {
  let used = 0;
  const end = all.findIndex((glyph) => {
    used += glyph.width;
    return used > width;
  });
  return all.slice(0, end < 0 ? undefined : end).map(({ text }) => text);
}
