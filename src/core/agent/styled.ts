/** A stretch of a row that is drawn in one way. */
export interface StyledSpan {
  readonly text: string;
  readonly isFaint: boolean;
  readonly isInverse: boolean;
  /** The colour of the text as its SGR parameters (`38;5;8`, `31`), null for the terminal's own. */
  readonly color: string | null;
}

/**
 * Takes the rows of a captured screen apart into spans. tmux writes a style only where it changes, also across the end
 * of a row, so rows are read together.
 */
export function spansOf(styled: readonly string[]): StyledSpan[][] {
  let style: Style = PLAIN;
  return styled.map((row) => {
    const spans: StyledSpan[] = [];
    let at = 0;
    for (const found of row.matchAll(SEQUENCE)) {
      if (found.index > at) spans.push({ text: row.slice(at, found.index), ...style });
      at = found.index + found[0].length;
      if (found[1] !== undefined) style = restyled(style, found[1]);
    }
    if (at < row.length) spans.push({ text: row.slice(at), ...style });
    return spans;
  });
}

type Style = Omit<StyledSpan, 'text'>;

const PLAIN: Style = { isFaint: false, isInverse: false, color: null };
const SEQUENCE = /\x1b\[([\d;:]*)m|\x1b\]8;[^\x1b]*\x1b\\|[\x0e\x0f]/g;

function restyled(before: Style, parameters: string): Style {
  let style = before;
  const codes = parameters.split(';');
  for (let index = 0; index < codes.length; index += 1) {
    const code = Number(codes[index]);
    if (code === 38 || code === 48) {
      const length = codes[index + 1] === '5' ? 3 : 5;
      if (code === 38) style = { ...style, color: codes.slice(index, index + length).join(';') };
      index += length - 1;
    } else style = withCode(style, code);
  }
  return style;
}

function withCode(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 2) return { ...style, isFaint: true };
  if (code === 22) return { ...style, isFaint: false };
  if (code === 7 || code === 27) return { ...style, isInverse: code === 7 };
  if (code === 39) return { ...style, color: null };
  const isColor = (code >= 30 && code <= 37) || (code >= 90 && code <= 97);
  return isColor ? { ...style, color: String(code) } : style;
}
