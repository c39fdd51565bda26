import { type Span, spansOf } from '../../../core/agent/styled.ts';
import type { CapturedScreen } from '../../../ports/agent.ts';
import type { Composer } from './composer.ts';

/** The words that stand in an empty input box. */
const PLACEHOLDER =
  /^ {0,2}(?:Type your message or (?:@path\/to\/file|(?:hold )?space to talk \(Esc to exit\))|Type your shell command|Press 'Esc' for NORMAL mode\.|Press 'i' for INSERT mode\.)$/;
/** Shown only beside an empty input box. */
const EMPTY_HINT = /(?:^| )(?:\? for shortcuts|press tab twice for more)$/;
/** Words of the composer in the colour that placeholders have, and typed text never. */
const SECONDARY = /Shift\+Tab to |workspace \(\/directory\)/;
/** Without colours it is one span with its mark. */
const MARK = /^ (?:🎤 )?[>!*] /;
const QUEUED = /^ {2}Queued \(press ↑ to edit\):/;
const STATUS_ROWS = 4;

/**
 * Whether unsent text stands in the input box, or waits in the queue above it. It is empty only when its placeholder is
 * seen, drawn as one: the same words typed by a person have another colour.
 */
export function readDraft(screen: CapturedScreen, composer: Composer): boolean | undefined {
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
  const shown = rows[promptAt]?.find((span) => PLACEHOLDER.test(span.text.trimEnd().replace(MARK, '')));
  if (!shown) return true;
  const status = lines.slice(Math.max(0, endOfStatus - STATUS_ROWS), endOfStatus);
  if (status.some((line) => EMPTY_HINT.test(line))) return false;
  const color = secondaryColor(rows.slice(endOfStatus));
  return color !== null && shown.color === color ? false : undefined;
}

/** The input box takes vim's commands, not text. */
export function isVimNormal(line: string): boolean {
  return line.includes("Press 'i' for INSERT mode.");
}

function secondaryColor(rows: readonly (readonly Span[])[]): string | null {
  const found = rows.flat().find((span) => SECONDARY.test(span.text));
  return found?.color ?? null;
}
