import { visible } from '../../../core/text/visible.ts';
import type { WaitingFor } from '../../../core/verdict/verdict.ts';
import type { CapturedScreen } from '../../../ports/agent.ts';

/** A dialog that has the keyboard. */
export interface GeminiDialog {
  readonly waitingFor: WaitingFor;
  readonly text: string;
}

const KINDS: readonly (readonly [RegExp, WaitingFor, string])[] = [
  [/Do you trust the files in this folder\?/, 'trust', 'whether it trusts this folder'],
  [
    /New Agents Discovered|Do you want to accept and load these policies\?/,
    'trust',
    'whether it trusts what the project brings',
  ],
  [
    /How would you like to authenticate|Enter Gemini API Key|Waiting for authentication\.\.\.|choose a different authentication method|You are now signed out|Account Suspended|Further action is required to use this service|Waiting for verification\.\.\./,
    'login',
    'for a login',
  ],
  [
    /Usage limit reached for |(?:Keep trying|Switch to \S+) .*\d\. Stop\b/,
    'limit',
    'what to do about a usage limit',
  ],
  [/^Ready to start implementation\?/, 'plan', 'whether its plan is accepted'],
  [/^Answer Questions\b/, 'question', 'a question'],
  [
    /Allow execution of |Apply this change\?|Do you want to proceed\?|Do you want to allow this read\?|No, suggest changes \(esc\)/,
    'permission',
    'for a permission',
  ],
  [/A potential loop was detected|Do you want to connect .{1,80} to Gemini CLI\?/, 'question', 'a question'],
];
// A list to choose from, or a hint which keys close it.
const TAKES_KEYS =
  /● |(?:Enter|Esc|Tab) to (?:select|close|exit|cancel|submit)|Press (?:Esc|R|Enter|'r')|Do you want to /;
const RESET = /Access resets at ([^.]{1,40})/;

/**
 * Finds the dialog at the lower end of the screen. It is a box as wide as the pane, with nothing below it; the boxes of
 * tools are narrower, and what is quoted in prose never stands in one.
 */
export function findDialog({ lines, cursor }: CapturedScreen): GeminiDialog | null {
  if (cursor === null) return null;
  const last = lines.findLastIndex((line) => line.trim() !== '' && !EXIT_WARNING.test(line));
  if (isBottom(lines[last], cursor.width)) return kindOf(textOf(lines, last));
  return findBareDialog(lines, last, cursor.y);
}

const EXIT_WARNING = /^Press Ctrl\+[CD] again to exit\.$/;

/** Finds the dialog right above the composer, which some settings leave in sight. */
export function findDialogAbove({ lines, cursor }: CapturedScreen, ruleAt: number): GeminiDialog | null {
  if (cursor === null) return null;
  const from = Math.max(0, ruleAt - ROWS_ABOVE);
  const end = lines.findLastIndex((line, at) => at < ruleAt && at >= from && isBottom(line, cursor.width));
  const text = end === -1 ? '' : textOf(lines, end);
  return /● \d+\. /.test(text) ? kindOf(text) : null;
}

const ROWS_ABOVE = 6;

// Right borders stand at the edge or next to it; those of tools are further in.
function isBottom(line: string | undefined, width: number): boolean {
  return line !== undefined && /^ ?╰─+╯$/.test(line) && line.length >= width - 1;
}

function textOf(lines: readonly string[], bottom: number): string {
  const left = (lines[bottom] ?? '').indexOf('╰');
  const rows: string[] = [];
  for (let at = bottom - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    if (line.charAt(left) !== '│') break;
    rows.push(line);
  }
  return rows
    .reverse()
    .join(' ')
    .replace(/[│╭╮╰╯─]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function kindOf(text: string): GeminiDialog | null {
  const [, waitingFor, what] = KINDS.find(([pattern]) => pattern.test(text)) ?? [];
  if (waitingFor !== undefined) {
    const reset = waitingFor === 'limit' ? RESET.exec(text)?.[1] : undefined;
    return {
      waitingFor,
      text: `it asks ${what}${reset === undefined ? '' : `, which resets at ${visible(reset.trim(), 40)}`}`,
    };
  }
  return TAKES_KEYS.test(text) ? { waitingFor: 'input', text: 'a dialog' } : null;
}

// Two take the whole screen without a box: the code of a login in the browser, and the list of old conversations.
function findBareDialog(lines: readonly string[], last: number, cursorRow: number): GeminiDialog | null {
  const end = lines[last] ?? '';
  if (/^Enter the authorization code:/.test(end) && cursorRow === last) {
    return { waitingFor: 'login', text: 'it asks for the code of a login' };
  }
  const isList = lines.some((line) => /^ Chat Sessions \(\d+ total/.test(line));
  const hasKeys = lines.some((line) => /^ Navigate: ↑\/↓ +Resume: Enter /.test(line));
  return isList && hasKeys ? { waitingFor: 'input', text: 'a list of old conversations' } : null;
}
