import type { AgentSign } from '../../../core/agent/sign.ts';
import { type StyledSpan, spansOf } from '../../../core/agent/styled.ts';
import { isWithin } from '../../../core/agent/version.ts';
import { visible } from '../../../core/text/visible.ts';
import type { AgentReading, CapturedScreen } from '../../../ports/agent.ts';
import { findInputBox, hasDraft, isCursorIn, type OpencodeInputBox, within } from './draft.ts';
import { VERIFIED } from './version.ts';

type Seen = Pick<AgentSign, 'turn' | 'waitingFor' | 'hasDraft' | 'isReady' | 'text'>;

/**
 * Reads opencode's screen. It shows one session, and the process may run others behind it: an idle screen is rest only
 * when another source says that every session is at rest.
 */
export function readScreen(screen: CapturedScreen, reading: AgentReading): AgentSign | null {
  const { lines, cursor, observedAt } = screen;
  const spans = spansOf(screen.styled);
  const box = findInputBox(lines);
  const isInBox = box !== null && cursor !== null && isCursorIn(box, cursor);
  const seen = isInBox
    ? readBox(box, hasDraft(box, lines, spans, cursor), lines, reading)
    : (readDialog(lines, spans) ?? (cursor && readCovered(box, lines, cursor.width)));
  const isVerified = isWithin(reading.version, VERIFIED);
  return seen && { source: 'screen', observedAt, isLive: true, isVerified, ...seen };
}

function readBox(
  box: OpencodeInputBox,
  draft: boolean | undefined,
  lines: readonly string[],
  reading: AgentReading,
): Seen | null {
  const common = draft === undefined ? {} : { hasDraft: draft };
  const state = belowBox(box, lines);
  if (state === 'busy') return { ...common, turn: 'running', text: 'a bar moves below the input box' };
  if (state === 'unclear') return draft === undefined ? null : { ...common, text: 'an input box' };
  const whole: Partial<Seen> = isAllElseAtRest(reading) ? { turn: 'over', waitingFor: null } : {};
  const text = box.isShell ? 'an input box in shell mode' : 'an input box, and no bar below it';
  return { ...common, ...whole, isReady: !box.isShell, text };
}

function isAllElseAtRest({ signs }: AgentReading): boolean {
  const isBusy = signs.some((sign) => sign.turn === 'running' || (sign.waitingFor ?? null) !== null);
  return !isBusy && signs.some((sign) => sign.turn === 'over');
}

// Below the box stands the bar of a running turn, or a folder or nothing, and the key of the command palette.
function belowBox(
  { left, right, foot }: OpencodeInputBox,
  lines: readonly string[],
): 'busy' | 'rest' | 'unclear' {
  const first = within(lines[foot + 1], left, right);
  if (BAR.test(first) || INTERRUPT.test(first)) return 'busy';
  const hints = [first, within(lines[foot + 2], left, right), within(lines[foot + 3], left, right)].join(' ');
  return FOLDER_OR_NOTHING.test(first) && HINT.test(hints) ? 'rest' : 'unclear';
}

// Eight blocks, or the sign that stands for them when animations are off. Both outlive the words behind them in a
// narrow pane, and the words outlive a change of the bar.
const BAR = /^ {0,4}(?:[■⬝]{4,}|\[⋯\])/;
const INTERRUPT = / esc (?:again to )?interrupt\b/;
const FOLDER_OR_NOTHING = /^ *(?:[~/]| {8})/;
const HINT = / commands\b| exit shell mode\b/;

// A dialog takes the place of the input box. Its sign has the colour of its edge: text that merely quotes it has not.
function readDialog(lines: readonly string[], spans: readonly (readonly StyledSpan[])[]): Seen | null {
  const title = spans.map(dialogTitle).findLast((found) => found !== null);
  if (title) return { waitingFor: 'permission', isReady: false, text: `a dialog: ${title}` };
  const keys = lowestBlock(lines).slice(-4).join(' ');
  if (/\benter\b/.test(keys) && /\besc\b/.test(keys) && /\bdismiss\b/.test(keys)) {
    return { waitingFor: 'question', isReady: false, text: 'a question with its answers' };
  }
  const isSubagent = /\bParent\b/.test(keys) && /\bPrev\b/.test(keys) && /\bNext\b/.test(keys);
  return isSubagent ? { isReady: false, text: 'the view of a subagent' } : null;
}

// The rows with an edge at the end of the screen.
function lowestBlock(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const above = lines.findLastIndex((line, index) => index <= last && !EDGED.test(line));
  return lines.slice(above + 1, last + 1);
}

const EDGED = /^ *┃/;
const DIALOG_TITLES = new Set(['Permission required', 'Always allow', 'Reject permission']);

function dialogTitle(row: readonly StyledSpan[]): string | null {
  const [edge, sign, title] = row.filter((span) => span.text.trim() !== '');
  const isDialog = edge?.text.trim() === '┃' && sign?.text.trim() === '△' && edge.color === sign.color;
  const text = title?.text.trim() ?? '';
  return isDialog && DIALOG_TITLES.has(text) ? text : null;
}

// A list or a form stands in the middle over the session; its head ends in the key that closes it.
function readCovered(box: OpencodeInputBox | null, lines: readonly string[], width: number): Seen | null {
  if (box === null) return null;
  if (belowBox(box, lines) === 'busy') {
    return { turn: 'running', isReady: false, text: 'a bar moves below the input box' };
  }
  const head = lines
    .slice(0, box.firstRow)
    .map((line) => headOf(line, width))
    .find((found) => found !== null);
  if (!head) return null;
  const waitingFor = LOGIN.test(head) ? 'login' : 'input';
  return { waitingFor, isReady: false, text: `a dialog: ${visible(head, 60)}` };
}

// The head has the same margin on both sides; words of the session behind have it only by chance.
function headOf(line: string, width: number): string | null {
  for (const { index, 0: key } of line.matchAll(/ {2}esc(?:\/enter)?(?= |$)/g)) {
    const start = width - (index + key.length);
    const head = line.slice(start, index);
    if (start > 0 && start < index && /^ \S/.test(line.slice(start - 1, start + 1))) return head.trim();
  }
  return null;
}

const LOGIN = /\b(?:provider|API key|login|log in|auth)/i;
