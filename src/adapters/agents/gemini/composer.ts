import type { CapturedScreen } from '../../../ports/agent.ts';

/** The lower end of Gemini's screen: a status row, a rule across the pane, the mode, the input box, the footer. */
export interface Composer {
  /** The first row behind the status: the rule, or the input box where the details are folded away. */
  readonly endOfStatus: number;
  /** The row of the input box that bears its mark; null while none is shown. */
  readonly promptAt: number | null;
  /** `>` for a prompt, `*` when every tool is allowed, `!` for a shell command, `(r:)` in a search of the history. */
  readonly mark: string;
  /** The cursor stands in the input box, is put away below it (another window has the keyboard), or is elsewhere. */
  readonly cursor: 'inside' | 'away' | 'elsewhere';
}

const RULE = /^─+$/;
const PROMPT = /^ (?:🎤 )?([>!*]|\(r:\))(?: |$)/;
const BOX = /^ ?[╭╰│]/;
// Mode and context stand one above the other in a narrow pane; without colours the input box has rules of its own.
const ROWS_TO_PROMPT = 7;
const COLUMN_OF_TEXT = 3;

/**
 * Finds the composer: the mark of the input box below a rule that crosses the whole pane, or with the cursor behind it,
 * and no box of a dialog further down. Neither prose nor a tool's output reaches from edge to edge or holds the cursor,
 * so that nothing that is quoted looks like it.
 */
export function findComposer({ lines, cursor }: CapturedScreen): Composer | null {
  if (cursor === null) return null;
  const isRule = (line: string) => line.length === cursor.width && RULE.test(line);
  const promptAt = lines.findLastIndex((line) => PROMPT.test(line));
  const ruleAt =
    promptAt === -1
      ? lines.findLastIndex(isRule)
      : lines.findIndex((line, at) => at >= promptAt - ROWS_TO_PROMPT && at < promptAt && isRule(line));
  const isInside = promptAt !== -1 && cursor.x >= COLUMN_OF_TEXT && cursor.y >= promptAt;
  if (ruleAt === -1 && !isInside) return null;
  const endOfStatus = ruleAt === -1 ? promptAt : ruleAt;
  if (lines.slice(endOfStatus + 1).some((line) => BOX.test(line))) return null;
  if (promptAt === -1) return { endOfStatus, promptAt: null, mark: '', cursor: 'elsewhere' };
  const isAway = cursor.x === 0 && lines.slice(cursor.y).every((line) => line === '');
  return {
    endOfStatus,
    promptAt,
    mark: PROMPT.exec(lines[promptAt] ?? '')?.[1] ?? '',
    cursor: isInside ? 'inside' : isAway ? 'away' : 'elsewhere',
  };
}
