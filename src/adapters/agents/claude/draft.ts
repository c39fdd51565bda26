import { type StyledSpan, spansOf } from '../../../core/agent/styled.ts';
import type { CapturedScreen } from '../../../ports/agent.ts';

/** The input box at the bottom of Claude Code's screen: rows between two rules, and a footer below. */
export interface ClaudeInputBox {
  /** The row of the upper rule. */
  readonly top: number;
  readonly footer: readonly string[];
  /** A prompt for the model, or for a shell (`!`). */
  readonly mode: 'prompt' | 'shell';
  /** How the mark before the input is drawn: dim while a turn runs. `unsure` where the screen bears no colours. */
  readonly mark: 'bright' | 'dim' | 'unsure';
  readonly hasDraft: boolean;
  /** What is typed goes into the box. */
  readonly hasCursor: boolean;
}

// A session's name may stand in the upper rule. Answers and tool output are indented, so no quoted rule begins here.
const RULE = /^─{8,}(?: [^─]{1,200} ─{1,8})?$/;
const MARK = /^[❯!](?:\s|$)/;
const STASHED = /^ {4}.*› stashed/i;
// The grey of hints and suggestions on dark and on light ground; within tmux it draws in 256 colours.
const DIM = new Set(['38;5;246', '38;5;241']);
const INDENT = 2;

/** Finds the input box; null when the bottom of the screen is anything else. */
export function findInputBox(screen: CapturedScreen): ClaudeInputBox | null {
  const { lines, cursor } = screen;
  const bottom = lines.findLastIndex((line) => RULE.test(line));
  const top = lines.findLastIndex((line, row) => row < bottom && RULE.test(line));
  if (top === -1) return null;
  const inner = lines.slice(top + 1, bottom);
  const below = lines.slice(bottom + 1).filter((line) => line !== '');
  if (!MARK.test(inner[0] ?? '') || ![...inner.slice(1), ...below].every(isIndented)) return null;

  const spans = spansOf(screen.styled);
  const [ruleSpan] = spans[top] ?? [];
  const [mark] = (spans[top + 1] ?? []).filter(({ text }) => text !== '');
  const hasCursor = cursor !== null && cursor.y > top && cursor.y < bottom && cursor.x >= INDENT;
  // In a box that looks empty, a cursor further to the right stands behind spaces that were typed.
  const isCursorMoved = hasCursor && !(cursor.x === INDENT && cursor.y === top + 1);
  return {
    top,
    footer: below,
    mode: inner[0]?.startsWith('!') ? 'shell' : 'prompt',
    mark: markOf(mark, ruleSpan),
    hasDraft: STASHED.test(lines[top - 1] ?? '') || isDraft(spans.slice(top + 1, bottom)) || isCursorMoved,
    hasCursor,
  };
}

function isIndented(line: string): boolean {
  return line === '' || line.startsWith(' '.repeat(INDENT));
}

// Rules are always drawn in a colour: where they are not, the lack of one on the mark means nothing.
function markOf(mark: StyledSpan | undefined, rule: StyledSpan | undefined): ClaudeInputBox['mark'] {
  if (mark === undefined || rule === undefined || rule.color === null) return 'unsure';
  if (mark.isFaint || (mark.color !== null && DIM.has(mark.color))) return 'dim';
  return mark.color === null ? 'bright' : 'unsure';
}

// A suggestion is drawn dim, but for the letter under the cursor. A lone letter there was typed.
function isDraft(rows: readonly (readonly StyledSpan[])[]): boolean {
  let [underCursor, dim] = [0, 0];
  for (const row of rows) {
    for (const span of withoutIndent(row)) {
      const { length } = span.text.trim();
      if (length === 0) continue;
      if (span.isInverse) underCursor += length;
      else if (span.isFaint || (span.color !== null && DIM.has(span.color))) dim += length;
      else return true;
    }
  }
  return underCursor > 1 || (underCursor === 1 && dim === 0);
}

function withoutIndent(row: readonly StyledSpan[]): readonly StyledSpan[] {
  let left = INDENT;
  return row.map((span) => {
    const text = span.text.slice(left);
    left = Math.max(0, left - span.text.length);
    return { ...span, text };
  });
}
