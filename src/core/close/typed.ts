import type { SessionEntry } from '../sight/roll.ts';

// Prompt marks, frames and cursors that agents draw around what is typed.
const FRAME = '[\\s\\u2500-\\u259f|>❯›»$%#*!·]*';

/** How a command that was typed stands on the screen. */
export type TypedState =
  /** Alone in an input line. */
  | 'alone'
  /** At the end of a line that holds something else too. */
  | 'behind-text'
  | 'not-seen';

/** What a screen shows, and where the cursor stands on it. */
export interface Shown {
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/**
 * Finds a command that was just typed; `before` is the screen from before it was. A line counts as a whole, or up to the
 * cursor: some agents show something else at the right of their input.
 */
export function findTyped(before: Shown, now: Shown, command: string): TypedState {
  const alone = aloneIn(command);
  const behind = new RegExp(`${escaped(command)}${FRAME}$`, 'u');
  for (const [state, pattern] of [['alone', alone] as const, ['behind-text', behind] as const]) {
    const isNew = count(now.lines, pattern) > count(before.lines, pattern);
    if (isNew || (isAtCursor(now, pattern) && !isAtCursor(before, pattern))) return state;
  }
  return 'not-seen';
}

/** Whether a command stands alone in the input line: who typed it earlier did not press Enter. */
export function isTypedAlready(shown: Shown, command: string): boolean {
  return isAtCursor(shown, aloneIn(command));
}

function aloneIn(command: string): RegExp {
  return new RegExp(`^${FRAME}${escaped(command)}${FRAME}$`, 'u');
}

/** Whether nothing at all was drawn between two screens. */
export function isSameScreen(before: Shown, now: Shown): boolean {
  return isSameInput(before, now) && before.lines.join('\n') === now.lines.join('\n');
}

/** Whether the cursor stands where it stood, in a line that reads as it read. */
export function isSameInput(before: Shown, now: Shown): boolean {
  const at = before.cursor;
  if (at === null || now.cursor === null) return false;
  const isSamePlace = at.x === now.cursor.x && at.y === now.cursor.y;
  return isSamePlace && before.lines[at.y] === now.lines[at.y];
}

const LINES_SHOWN = 3;

/** The last lines that a look saw in a pane. */
export function shownIn({ evidence }: Pick<SessionEntry, 'evidence'>, paneId: string): readonly string[] {
  const screen = evidence.find((piece) => piece.kind === 'screen' && piece.paneId === paneId);
  return screen?.kind === 'screen' ? screen.tail.slice(-LINES_SHOWN) : [];
}

function count(lines: readonly string[], pattern: RegExp): number {
  return lines.filter((line) => isTypedIn(line, pattern)).length;
}

function isAtCursor({ lines, cursor }: Shown, pattern: RegExp): boolean {
  return cursor !== null && isTypedIn(lines[cursor.y]?.slice(0, cursor.x) ?? '', pattern);
}

/** No input line is longer; the patterns stay cheap. */
const MAX_LINE = 1000;

function isTypedIn(line: string, pattern: RegExp): boolean {
  return line.length < MAX_LINE && pattern.test(line);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
