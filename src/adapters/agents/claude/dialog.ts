import type { WaitingFor } from '../../../core/verdict/verdict.ts';

/** A dialog that stands where the input box would. */
export interface ClaudeDialog {
  readonly waitingFor: WaitingFor;
  readonly text: string;
}

// Every dialog ends in what its keys do, or in its options.
const KEYS = /(?:^|[ /])(?:Esc|Enter|Space|[Cc]trl\+[A-Za-z]|←|→|↑|↓)(?:\/\S{1,6}){0,3} to [a-z]/;
// A prompt that was sent is echoed at the very edge, and seldom begins with a number.
const CHOICE = /^ {1,5}❯ \S|^❯ \d{1,2}\. /;
// Not a dialog: a view of the conversation that may show anything.
const VIEW = /^ {2}Showing detailed transcript/;
// Above a dialog stands a rule as wide as the pane, or one that is a little indented.
const EDGE = /^ {0,2}[─▔]{8,}/;

const KINDS: readonly (readonly [WaitingFor, RegExp])[] = [
  ['trust', /\bAccessing workspace: .*\btrust this folder\b/],
  ['login', /\bDetected a custom API key\b|\bSelect login method:|\bPaste code here\b/],
  ['plan', /\bExit plan mode\? |\bready to execute\. Would you like to proceed\?/],
  ['limit', /\bhit your [a-z ]{0,20}limit\b/],
  ['permission', /\bDo you want to .{1,300}\? (?:❯ )?1\. Yes/],
  ['question', /\bEnter to select · ↑\/↓ to navigate\b|^☐ |\bReview your answers\b/],
];

const MAX_ROWS = 100;

/** Reads the dialog at the bottom of a screen without an input box; null when there is none, or none that is known. */
export function dialogOn(lines: readonly string[]): ClaudeDialog | null {
  const end = lines.findLastIndex((line) => line !== '') + 1;
  const rows = lines.slice(Math.max(0, end - MAX_ROWS), end);
  const choice = rows.findLastIndex((line) => CHOICE.test(line));
  const edge = rows.findLastIndex((line, row) => EDGE.test(line) && (choice === -1 || row < choice));
  if (edge === -1) return null;
  const text = rows
    .slice(edge + 1)
    .join(' ')
    .replace(/[\s─╌]+/g, ' ')
    .trim()
    .slice(0, 4000);
  const last = rows.slice(-3);
  const isDialog = KEYS.test(last.join(' ')) || (choice !== -1 && choice > rows.length - 6);
  if (!isDialog || last.some((row) => VIEW.test(row))) return null;
  const kind = KINDS.find(([, pattern]) => pattern.test(text));
  return { waitingFor: kind?.[0] ?? 'input', text: text.slice(0, 160) };
}
