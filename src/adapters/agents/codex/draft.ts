import type { StyledSpan } from '../../../core/agent/styled.ts';
import type { CapturedScreen } from '../../../ports/agent.ts';

/** Codex's input box, positively found. */
export interface CodexComposer {
  /** Its first row. */
  readonly row: number;
  readonly hasDraft: boolean;
}

const PROMPT = '›';
const SHELL_PROMPT = '!';
const MAX_FOOTER_ROWS = 4;

/**
 * Finds the input box by its prompt sign, with the cursor behind it. The same sign marks earlier prompts (faint) and the
 * chosen line of a dialog (inverse); a dialog replaces the box.
 */
export function findComposer(
  { lines, cursor }: Pick<CapturedScreen, 'lines' | 'cursor'>,
  spans: readonly (readonly StyledSpan[])[],
): CodexComposer | null {
  if (cursor === null || cursor.x < 2 || cursor.x >= cursor.width) return null;
  const row = promptRow(lines, cursor.y);
  const first = spans[row]?.[0];
  if (first === undefined || first.isFaint || first.isInverse) return null;
  if (lines[row]?.startsWith(SHELL_PROMPT) && first.color === null) return null;
  if (!isFooterBelow(lines, cursor.y)) return null;
  return { row, hasDraft: !(cursor.y === row && cursor.x === 2 && isPlaceholder(spans[row] ?? [])) };
}

// A draft of several rows stands under the sign, indented like it.
function promptRow(lines: readonly string[], cursorRow: number): number {
  for (let row = cursorRow; row >= 0; row -= 1) {
    const line = lines[row] ?? '';
    if (/^[›!](?: |$)/.test(line)) return row;
    if (line !== '' && !line.startsWith('  ')) return -1;
  }
  return -1;
}

// The rest of the draft, an empty row, then one to three rows of footer and nothing else.
function isFooterBelow(lines: readonly string[], cursorRow: number): boolean {
  const below = lines.slice(cursorRow + 1);
  const last = below.findLastIndex((line) => line !== '');
  const gap = below.findLastIndex((line, at) => line === '' && at < last);
  if (gap === -1) return false;
  const footer = below.slice(gap).filter((line) => line !== '');
  return footer.length > 0 && footer.length <= MAX_FOOTER_ROWS && below.slice(0, gap).every(isIndented);
}

const isIndented = (line: string): boolean => line === '' || line.startsWith('  ');

// An empty box shows a faint invitation to type; blanks without it were typed.
function isPlaceholder(spans: readonly StyledSpan[]): boolean {
  const [sign, ...rest] = spans;
  const ownRest = sign?.text.slice(PROMPT.length).trim() ?? '';
  const texts = rest.filter(({ text }) => text.trim() !== '');
  return (
    sign?.text.startsWith(PROMPT) === true &&
    ownRest === '' &&
    texts.length > 0 &&
    texts.every((span) => span.isFaint)
  );
}
