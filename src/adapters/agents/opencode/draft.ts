import type { StyledSpan } from '../../../core/agent/styled.ts';

/** The input box, found on a screen. Rows and columns count from the top left. */
export interface OpencodeInputBox {
  readonly left: number;
  /** The last column of the box; what stands right of it is the sidebar. */
  readonly right: number;
  readonly firstRow: number;
  readonly lastRow: number;
  /** The row of half blocks that closes the box. */
  readonly foot: number;
  /** In shell mode a line goes to the shell, not to the model. */
  readonly isShell: boolean;
}

const FOOT = /^( *)╹(▀{10,})/;
const EDGE = '┃';
// The edge and two cells of padding.
const INDENT = 3;

/** Finds the lowest input box. Its rows hold the text; below them an empty row and the agent's name close it. */
export function findInputBox(lines: readonly string[]): OpencodeInputBox | null {
  const foot = lines.findLastIndex((line) => FOOT.test(line));
  const [, margin = '', blocks = ''] = FOOT.exec(lines[foot] ?? '') ?? [];
  const left = margin.length;
  const right = left + blocks.length;
  let top = foot;
  while (top > 0 && lines[top - 1]?.[left] === EDGE) top -= 1;
  const [firstRow, lastRow] = [top + 1, foot - 3];
  const meta = within(lines[foot - 1], left, right).trim();
  const isWhole =
    foot >= 0 && lastRow >= firstRow && meta !== '' && within(lines[foot - 2], left, right).trim() === '';
  return isWhole ? { left, right, firstRow, lastRow, foot, isShell: meta === 'Shell' } : null;
}

/** Whether the keyboard is in the box: a dialog above it takes the cursor away. */
export function isCursorIn(
  box: OpencodeInputBox,
  cursor: { readonly x: number; readonly y: number },
): boolean {
  const isInRow = cursor.y >= box.firstRow && cursor.y <= box.lastRow;
  return isInRow && cursor.x >= box.left + INDENT && cursor.x <= box.right;
}

/**
 * Whether unsent text is in the box. False only with the cursor at its beginning, and one empty row or the example that
 * opencode shows in an empty box. Undefined when it is not certain.
 */
export function hasDraft(
  box: OpencodeInputBox,
  lines: readonly string[],
  spans: readonly (readonly StyledSpan[])[],
  cursor: { readonly x: number; readonly y: number },
): boolean | undefined {
  const rows = lines
    .slice(box.firstRow, box.lastRow + 1)
    .map((line) => within(line, box.left, box.right).trim());
  const isAtStart = cursor.x === box.left + INDENT && cursor.y === box.firstRow;
  if (rows.every((row) => row === ''))
    return isAtStart && rows.length === 1 ? false : !isAtStart || undefined;
  if (!isAtStart || !EXAMPLE.test(rows[0] ?? '')) return true;
  const muted =
    colorOf(spans[box.foot - 1] ?? [], '·') ?? colorOf(spans[box.foot + 1] ?? [], 'exit shell mode');
  const colors = spans.slice(box.firstRow, box.lastRow + 1).flatMap((row) => textColors(row, box));
  return muted !== undefined && colors.every((color) => color === muted) ? false : undefined;
}

const EXAMPLE = /^(?:Ask anything|Run a command)(?:…|\.\.\.)/;

/** The columns between the edge and the end of the box. */
export function within(line: string | undefined, left: number, right: number): string {
  return line?.slice(left + 1, right + 1) ?? '';
}

function colorOf(row: readonly StyledSpan[], text: string): string | null | undefined {
  return row.find((span) => span.text.trim() === text)?.color;
}

function textColors(row: readonly StyledSpan[], { left, right }: OpencodeInputBox): (string | null)[] {
  let column = 0;
  return row.flatMap((span) => {
    const start = column;
    column += span.text.length;
    const isInside = start > left && start <= right;
    return isInside && span.text.trim() !== '' ? [span.color] : [];
  });
}
