import type { AgentSign } from '../../../core/agent/sign.ts';
import { type StyledSpan, spansOf } from '../../../core/agent/styled.ts';
import { visible } from '../../../core/text/visible.ts';
import type { WaitingFor } from '../../../core/verdict/verdict.ts';
import type { CapturedScreen } from '../../../ports/agent.ts';
import { findComposer } from './draft.ts';

type Facts = Omit<AgentSign, 'source' | 'observedAt' | 'isLive' | 'isVerified'>;
type Rows = readonly (readonly StyledSpan[])[];

/**
 * Reads a Codex screen. Either the input box is there, or a dialog in its place: so the box proves that no dialog is
 * open, whatever the text above quotes. A running turn may show nothing (a silent model): the screen never proves that a
 * turn is over. That nothing runs in the background only the welcome proves, which the first prompt removes.
 */
export function readScreen(screen: CapturedScreen, isVerified: boolean): AgentSign | null {
  const spans = spansOf(screen.styled);
  const lines = screen.lines.map((line) => line.trimEnd());
  const composer = findComposer({ lines, cursor: screen.cursor }, spans);
  const facts = composer
    ? promptFacts(lines, spans, composer.row, composer.hasDraft)
    : dialogFacts(lines, spans);
  return facts && { source: 'screen', observedAt: screen.observedAt, isLive: true, isVerified, ...facts };
}

function promptFacts(lines: readonly string[], spans: Rows, composerRow: number, hasDraft: boolean): Facts {
  const rows = lines.slice(0, composerRow);
  const last = rows.findLastIndex((line) => line !== '');
  const status = statusAbove(lines, spans, last);
  if (status?.startsWith('Reconnecting to server'))
    return { hasDraft, isReady: false, text: 'the screen says it has lost its app server' };
  if (status !== null)
    return {
      turn: 'running',
      waitingFor: null,
      hasDraft,
      isReady: false,
      text: `the screen says "${status}"`,
    };
  const trouble = troubleAbove(lines, spans, last);
  if (trouble) return { ...trouble, hasDraft, isReady: !hasDraft };
  const background = backgroundIn(lines[last] ?? '', spans[last] ?? []);
  return {
    waitingFor: null,
    hasDraft,
    isReady: !hasDraft,
    ...((background > 0 || isWelcome(rows)) && { background }),
    text: hasDraft ? 'unsent text stands in its input box' : 'its input box is ready and empty',
  };
}

// `>_ OpenAI Codex (v0.166.0)`, the folder, and a picture made of braille dots; a narrow pane has no picture.
const WELCOME = /^ {2}>_ OpenAI Codex \(v[\w.-]{1,40}\)$/;
const PICTURE = /^[\u2800-\u28ff ]*$/;

function isWelcome(rows: readonly string[]): boolean {
  const [head = '', folder = '', ...others] = rows.filter((row) => row !== '');
  return WELCOME.test(head) && /^ {5}\S/.test(folder) && others.every((row) => PICTURE.test(row));
}

// `• Working (2s • esc to interrupt)`: the bullet is missing without animations, the key may be another, and a narrow
// pane cuts the end off. The time is faint, which no quoted line is.
const STATUS = /^(?:[•◦] )?(\S.{0,120}?) \((?:\d{1,4}h )?(?:\d{1,2}m )?\d{1,2}s(?: •|\)|…|$)/;
const MAX_DETAIL_ROWS = 6;

function statusAbove(lines: readonly string[], spans: Rows, last: number): string | null {
  for (let row = last; row >= 0 && row > last - MAX_DETAIL_ROWS; row -= 1) {
    const line = lines[row] ?? '';
    const name = STATUS.exec(line)?.[1];
    const isDrawn = spans[row]?.some(({ text, isFaint }) => isFaint && text.startsWith('('));
    if (name !== undefined && isDrawn) return visible(name, 80);
    // What the agent retries for stands below the status, as a branch of it.
    if (!/^ {2}(?:└| {2})/.test(line)) return null;
  }
  return null;
}

const RED = new Set(['31', '91', '38;5;1', '38;5;9']);
const LIMIT = /usage limit|rate limit|credit limit|spend cap|out of credits/i;

// The last thing above the box is a red block: the turn before it failed.
function troubleAbove(lines: readonly string[], spans: Rows, last: number): Facts | null {
  let row = last;
  while (row > 0 && lines[row - 1] !== '' && !lines[row]?.startsWith('■ ')) row -= 1;
  const first = spans[row]?.find(({ text }) => text.trim() !== '');
  if (!lines[row]?.startsWith('■ ') || !RED.has(first?.color ?? '')) return null;
  const said = lines
    .slice(row, last + 1)
    .map((line) => line.trim())
    .join(' ')
    .slice(2);
  const waitingFor = LIMIT.test(said) ? 'limit' : 'error';
  return { waitingFor, text: `the screen says "${visible(said, 160)}"` };
}

function backgroundIn(line: string, spans: readonly StyledSpan[]): number {
  const count = /^ {2}(\d{1,4}) background terminals? /.exec(`${line} `)?.[1];
  const isDrawn = spans.every(({ text, isFaint }) => isFaint || text.trim() === '');
  return isDrawn ? Number(count ?? 0) : 0;
}

const HEADINGS: readonly (readonly [WaitingFor, RegExp])[] = [
  ['permission', /^(?:Would you like to (?:run|make|grant|send)|Do you want to approve|Allow Codex to) /],
  ['question', /^Question \d{1,3}\/\d{1,3}\b/],
  ['plan', /^Implement this plan\?/],
  ['hook-review', /^Hooks need review/],
  ['trust', /^(?:Folder access|Trust this folder\?|Do you trust the contents)/],
  ['limit', /^(?:Approaching rate limits|You[’']ve (?:hit|reached) your )/],
];
// When these are answered the turn goes on.
const IN_TURN: readonly WaitingFor[] = ['permission', 'question'];

const CHOSEN = /^ {0,2}› \S/;

function dialogFacts(lines: readonly string[], spans: Rows): Facts | null {
  if (isLogin(lines)) return { waitingFor: 'login', isReady: false, text: 'the screen asks to sign in' };
  const chosen = lines.findLastIndex(
    (line, row) =>
      CHOSEN.test(line) && spans[row]?.some(({ text, isInverse }) => isInverse && text.includes('›')),
  );
  if (chosen === -1) return null;
  for (let row = chosen - 1; row >= 0; row -= 1) {
    const line = (lines[row] ?? '').trim();
    const [waitingFor] = HEADINGS.find(([, pattern]) => pattern.test(line)) ?? [];
    if (waitingFor === undefined) continue;
    const turn = IN_TURN.includes(waitingFor) ? ({ turn: 'running' } as const) : {};
    return { ...turn, waitingFor, isReady: false, text: `the screen asks "${visible(line, 120)}"` };
  }
  return { waitingFor: 'input', isReady: false, text: 'a menu stands open on its screen' };
}

// Before Codex knows who it works for there is nothing else on its screen.
function isLogin(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== '')?.trim() ?? '';
  const isWelcome = first.startsWith('Welcome to Codex') || first.startsWith('Finish signing in');
  return isWelcome && lines.some((line) => /\bsign(?:ing)? in\b/i.test(line));
}
