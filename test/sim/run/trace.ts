import type { JournalEntry } from '../machine/journal.ts';
import { clockTime } from './tell.ts';

/** The last things that happened, as many as a person reads. */
export interface Trace {
  add(entry: JournalEntry): void;
  lines(): readonly string[];
}

const KEPT = 40;
/** So much of it happens that it would hide the rest. */
const QUIET: ReadonlySet<JournalEntry['what']> = new Set([
  'hook-sent',
  'step',
  'process-started',
  'conversation-kept',
]);

export function createTrace(): Trace {
  const kept: JournalEntry[] = [];
  return {
    add(entry) {
      if (QUIET.has(entry.what)) return;
      kept.push(entry);
      if (kept.length > KEPT) kept.shift();
    },
    lines: () => kept.map(lineOf),
  };
}

/** What goes without saying, or is said by the rest. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'at',
  'by',
  'what',
  'hash',
  'server',
  'key',
  'startTicks',
  'install',
  'steps',
]);

function lineOf(entry: JournalEntry): string {
  const said = Object.entries(entry).flatMap(([name, value]) =>
    LEFT_OUT.has(name) || value === null
      ? []
      : [name === 'session' ? String(value) : `${name} ${short(String(value))}`],
  );
  return `${clockTime(entry.at)}  ${entry.by}: ${entry.what}${said.length > 0 ? ` (${said.join(', ')})` : ''}`;
}

const MOST_LENGTH = 80;

// A line stays a line.
function short(text: string): string {
  const [first = ''] = text.split('\n');
  return first === text && text.length <= MOST_LENGTH ? text : `${first.slice(0, MOST_LENGTH)}…`;
}
