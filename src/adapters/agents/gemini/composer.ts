import { spansOf } from '../../../core/agent/styled.ts';
import type { CapturedScreen } from '../../../ports/agent.ts';

/** The lower end of Gemini's screen: a status row, a rule across the pane, the mode, the input box, the footer. */
export interface GeminiComposer {
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
export function findComposer({ lines, cursor }: CapturedScreen): GeminiComposer | null {
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

/** The words that stand in an empty input box. */
const PLACEHOLDER =
  /^ {0,2}(?:Type your message or (?:@path\/to\/file|(?:hold )?space to talk \(Esc to exit\))|Type your shell command|Press 'Esc' for NORMAL mode\.|Press 'i' for INSERT mode\.)$/;
/** Shown only beside an empty input box. */
const EMPTY_HINT = /(?:^| )(?:\? for shortcuts|press tab twice for more)$/;
/** Words of the composer in the colour that placeholders have, and typed text never. */
const SECONDARY = /Shift\+Tab to |workspace \(\/directory\)/;
/** Without colours it is one span with its mark. */
const PLAIN_MARK = /^ (?:🎤 )?[>!*] /;
const QUEUED = /^ {2}Queued \(press ↑ to edit\):/;
const STATUS_ROWS = 4;

/**
 * Whether unsent text is in the input box, or queued above it. The box is empty only if its placeholder is drawn as one:
 * the same words typed by a person have another colour.
 */
export function readDraft(screen: CapturedScreen, composer: GeminiComposer): boolean | undefined {
  const { lines } = screen;
  const { endOfStatus, promptAt, mark } = composer;
  if (promptAt === null) return undefined;
  if (lines.slice(0, endOfStatus).some((line) => QUEUED.test(line))) return true;
  const text = (lines[promptAt] ?? '')
    .replace(/^ (?:🎤 )?/, '')
    .slice(mark.length)
    .trim();
  if (text === '') return undefined;
  if (!PLACEHOLDER.test(text)) return true;
  const rows = spansOf(screen.styled);
  const shown = rows[promptAt]?.find((span) => PLACEHOLDER.test(span.text.trimEnd().replace(PLAIN_MARK, '')));
  if (!shown) return true;
  const status = lines.slice(Math.max(0, endOfStatus - STATUS_ROWS), endOfStatus);
  if (status.some((line) => EMPTY_HINT.test(line))) return false;
  const color = rows
    .slice(endOfStatus)
    .flat()
    .find((span) => SECONDARY.test(span.text))?.color;
  return color && shown.color === color ? false : undefined;
}

/** The input box takes vim's commands, not text. */
export function isVimNormal(line: string): boolean {
  return line.includes("Press 'i' for INSERT mode.");
}
