import { withoutBlanks } from '../../../core/text/without-blanks.ts';
import type { PaneTarget, ScreenHistory } from '../../../ports/actuator.ts';
import { createNonce } from '../run-tmux.ts';
import { type ActedIf, actInPane, type Reach, TOO_LONG } from './act-if.ts';
import { commandText } from './words.ts';

/** Where a screen of 500 columns in a three-byte script has 10,000 rows of history, that is 15 MB. */
const MAX_HISTORY_BYTES = 32 * 1024 * 1024;

/** Where to begin, in rows above the screen: what came last matters most. */
const BEGINNINGS = ['-', '-10000', '-1000', '0'] as const;

/** Stands between what lies below a full-screen program and what that program shows. */
export const ABOVE_IT = '---- on the alternate screen, above all of this ----';

/**
 * Captures what the pane remembers, long lines in one piece; less of it where that is too much. Where a program has the
 * alternate screen, what lies below it comes first: it is nowhere else.
 */
export async function captureHistory(
  reach: Reach,
  pane: PaneTarget,
  maxBytes = MAX_HISTORY_BYTES,
): Promise<ScreenHistory> {
  const mark = createNonce();
  for (const start of BEGINNINGS) {
    const captured = await capture(reach, pane, { start, mark, maxBytes });
    if (captured === TOO_LONG || captured.state === 'stirred') continue;
    if (captured.state === 'failed') return captured;
    if (captured.state === 'changed') return { state: 'absent' };
    return { state: 'captured', text: wholeText(captured.printed, mark), isCut: start !== '-' };
  }
  return { state: 'failed', text: 'the screen alone is more than can be kept' };
}

interface Capturing {
  readonly start: (typeof BEGINNINGS)[number];
  /** Printed between the two screens. */
  readonly mark: string;
  readonly maxBytes: number;
}

function capture(reach: Reach, pane: PaneTarget, { start, mark, maxBytes }: Capturing): Promise<ActedIf> {
  const commands = (target: string) => {
    const onlyIf = (format: string, ...texts: string[]) => ['if-shell', '-F', '-t', target, format, ...texts];
    const rows = (from: string, to: string, ...flags: string[]) => [
      ...['capture-pane', '-p', '-J', ...flags, '-S', from, '-E', to, '-t', target],
    ];
    // tmux saves the rows that were shown, and not their history: that stays above the alternate screen. Without any
    // history its last row would be the first one of the screen.
    const history = start === '0' ? [] : [onlyIf('#{history_size}', commandText([rows(start, '-1')]))];
    const both = [...history, rows('-', '-', '-a'), ['display-message', '-p', mark], rows('0', '-')];
    return [onlyIf('#{alternate_on}', commandText(both), commandText([rows(start, '-')]))];
  };
  return actInPane(reach, pane, commands, { maxBytes });
}

function wholeText(printed: Buffer, mark: string): string {
  const [below = '', above] = printed.toString('utf8').split(`${mark}\n`).map(asText);
  return above === undefined || above === '' ? below : `${below}${ABOVE_IT}\n${above}`;
}

// Joining lines keeps the blanks behind them, and blank rows below the last line are nothing.
function asText(printed: string): string {
  const text = printed.split('\n').map(withoutBlanks).join('\n').trimEnd();
  return text === '' ? '' : `${text}\n`;
}
