// Prompt marks, frames and cursors that agents draw around what is typed.
const FRAME = '[\\s\\u2500-\\u259f|>❯›»$%#*!·▌█]*';

/** How a command that was typed stands on the screen. */
export type TypedState =
  /** Alone in an input line. */
  | 'alone'
  /** At the end of a line that holds something else too. */
  | 'behind-text'
  | 'not-seen';

/** Finds a command that was just typed; `before` is the screen from before it was. */
export function findTyped(before: readonly string[], now: readonly string[], command: string): TypedState {
  const alone = new RegExp(`^${FRAME}${escaped(command)}${FRAME}$`, 'u');
  const behind = new RegExp(`${escaped(command)}${FRAME}$`, 'u');
  if (count(now, alone) > count(before, alone)) return 'alone';
  return count(now, behind) > count(before, behind) ? 'behind-text' : 'not-seen';
}

function count(lines: readonly string[], pattern: RegExp): number {
  return lines.filter((line) => line.length < MAX_LINE && pattern.test(line)).length;
}

/** No input line is longer; the patterns stay cheap. */
const MAX_LINE = 1000;

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
