import type { AgentSign } from '../../../core/agent/sign.ts';
import { type StyledSpan, spansOf } from '../../../core/agent/styled.ts';
import { isWithin } from '../../../core/agent/version.ts';
import { visible } from '../../../core/text/visible.ts';
import type { WaitingFor } from '../../../core/verdict/verdict.ts';
import type { AgentReading, CapturedScreen } from '../../../ports/agent.ts';
import { dialogOn } from './dialog.ts';
import { type ClaudeInputBox, findInputBox } from './draft.ts';
import { troubleOf } from './trouble.ts';
import { VERIFIED } from './verified.ts';

/**
 * Reads the screen from its bottom: the input box, or a dialog in its place. Only that place counts; the conversation
 * above may quote anything. Timers are never shown: no screen proves that nothing runs in the background.
 */
export function readScreen(screen: CapturedScreen, reading: AgentReading): AgentSign | null {
  const box = findInputBox(screen);
  const facts = box === null ? dialogFacts(screen, reading) : boxFacts(screen, box, reading);
  const isVerified = isWithin(reading.version, VERIFIED);
  return facts && { source: 'screen', observedAt: screen.observedAt, isLive: true, ...facts, isVerified };
}

type Facts = Pick<AgentSign, 'turn' | 'waitingFor' | 'background' | 'hasDraft' | 'isReady' | 'text'>;

// The status tells of every dialog that needs an answer: what it does not tell of is a view that a person has opened.
function dialogFacts(screen: CapturedScreen, { signs }: AgentReading): Facts | null {
  const dialog = dialogOn(screen.lines);
  if (dialog === null) return null;
  const isView = signs.some(({ source, waitingFor }) => source === 'agent' && waitingFor === null);
  if (dialog.waitingFor === 'input' && isView) return null;
  return { waitingFor: dialog.waitingFor, text: visible(`shows a dialog: ${dialog.text}`, 200) };
}

function boxFacts(screen: CapturedScreen, box: ClaudeInputBox, reading: AgentReading): Facts {
  const note = noteAbove(screen, box.top);
  const activity = turnOf(box, note);
  const background = backgroundIn(box, note);
  const isReady = activity.turn !== 'running' && box.mode === 'prompt' && box.hasCursor;
  return {
    ...activity,
    ...dialogsSeen(note, reading),
    ...(background > 0 && { background }),
    hasDraft: box.hasDraft || box.mode === 'shell',
    ...(isReady && { isReady }),
  };
}

// A limit or a lost login leaves a ready prompt behind, and waits all the same: that no dialog is shown takes neither back.
function dialogsSeen(note: Note | null, { signs }: AgentReading): Pick<Facts, 'waitingFor'> {
  if (signs.some(({ waitingFor }) => isSilentWait(waitingFor))) return {};
  return { waitingFor: note?.trouble ?? null };
}

/** Whether an agent that waits for this shows no dialog for it. */
export function isSilentWait(waitingFor: WaitingFor | null | undefined): boolean {
  return waitingFor === 'limit' || waitingFor === 'login';
}

const INTERRUPTIBLE = / esc to int/;
const SPINNER = /^[·✢✳✶✻✽*] \S.{0,80}?…/u;
const RETRYING = /Retrying in \d/;
const WAITING_FOR_AGENTS = /^[·✢✳✶✻✽*] Waiting for (\d{1,4}) background agents? to/u;

function turnOf({ mode, mark, footer }: ClaudeInputBox, note: Note | null): Pick<Facts, 'turn' | 'text'> {
  if (note && RETRYING.test(note.text)) {
    return { turn: 'running', text: visible(`shows a request that is tried again: ${note.text}`, 200) };
  }
  const isSpinning = note !== null && (SPINNER.test(note.text) || WAITING_FOR_AGENTS.test(note.text));
  if (isSpinning) return { turn: 'running', text: visible(`shows its work: ${note.text}`, 200) };
  if (mark === 'dim' || footer.some((row) => INTERRUPTIBLE.test(row))) {
    return { turn: 'running', text: 'shows a prompt that a turn holds' };
  }
  if (note?.trouble) {
    return { ...(mark === 'bright' && { turn: 'over' }), text: visible(`shows an error: ${note.text}`, 200) };
  }
  return mark === 'bright' && mode === 'prompt'
    ? { turn: 'over', text: 'shows a ready prompt' }
    : { text: 'shows an input box' };
}

/** What stands directly above the input box: a spinner, the end of a turn, or the last message. */
interface Note {
  readonly text: string;
  readonly trouble?: WaitingFor;
}

const MAX_ROWS_ABOVE = 60;
const TURN_ENDED = /^✻ \S+ for \d/u;

// Everything that belongs to a note is indented below it. The line that ends a turn stands below its last message.
function noteAbove(screen: CapturedScreen, top: number): Note | null {
  const first = Math.max(0, top - MAX_ROWS_ABOVE);
  const start = screen.lines.findLastIndex((line, row) => row < top && row >= first && /^\S/.test(line));
  if (start < first) return null;
  const text = textOf(screen.lines.slice(start, top));
  if (!TURN_ENDED.test(text)) return { text, ...errorIn(screen, start, text) };
  const before = screen.lines.findLastIndex((line, row) => row < start && row >= first && /^\S/.test(line));
  const last = before < first ? '' : textOf(screen.lines.slice(before, start));
  const trouble = errorIn(screen, before, last);
  return trouble.trouble ? { text: last, ...trouble } : { text };
}

function textOf(rows: readonly string[]): string {
  return rows.join(' ').replace(/\s+/g, ' ').trim().slice(0, 500);
}

// Claude Code draws an error in a colour of its own; an answer that speaks of one is drawn plain.
function errorIn(screen: CapturedScreen, row: number, text: string): { readonly trouble?: WaitingFor } {
  if (!text.startsWith('● API Error')) return {};
  const spans: readonly StyledSpan[] = spansOf(screen.styled.slice(0, row + 1))[row] ?? [];
  const words = spans.find((span) => span.text.includes('API Error'));
  return words?.color ? { trouble: troubleOf(undefined, text) } : {};
}

const TASKS = /^(\d{1,4}) (?:[a-z]+ )?(?:shell|monitor|agent|task|teammate|workflow|bash)e?s?$/;

function backgroundIn({ footer }: ClaudeInputBox, note: Note | null): number {
  const told = footer
    .flatMap((row) => row.split(' · '))
    .map((part) => Number(TASKS.exec(part.trim())?.[1] ?? 0));
  const agents = footer.filter((row) => /^ {2}◯ /.test(row)).length;
  const awaited = Number(WAITING_FOR_AGENTS.exec(note?.text ?? '')?.[1] ?? 0);
  return told.reduce((sum, count) => sum + count, 0) + Math.max(agents, awaited);
}
