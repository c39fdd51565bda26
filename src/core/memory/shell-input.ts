import { isSameProcess } from '../sight/identity.ts';
import type { ShellGlance } from '../sight/sighting.ts';

/** A shell at a look that found it waiting, to be compared with at the next. */
export type RememberedInput = Omit<ShellGlance, 'isWaiting'>;

/** What a pane's shell is remembered by, and why it cannot be said that nothing was entered in it. */
interface InputMemory {
  readonly input?: RememberedInput;
  readonly entered?: string;
}

/** The kernel writes down reads of a terminal in steps of eight seconds, so that nobody can measure keystrokes by them. */
const STEP_SECONDS = 8;

/** The turns of a shell that did not wait when it was seen: its next turns are no input, so only reads can tell. */
export const AT_WORK = '';

/**
 * Compares the shell in front of a pane with the one that an earlier look found there. A key costs it one turn on the
 * processor, but so do a whole paste and a new size of its window (measured: bash 5.2, zsh 5.9, fish 3.6; none in a minute
 * at rest). So no number of turns is harmless by itself: the kernel's own note of the last read tells one from the other.
 * Where an agent was, the first look after it stays the one to compare with: what is left is a person's shell from then on.
 * While a close is on its way the one before it stays too, because nothing is concluded until it is over. Elsewhere it is
 * the look before this one.
 */
export function rememberInput(
  now: ShellGlance | undefined,
  before: RememberedInput | undefined,
  isLeftover: boolean,
  isClosing = false,
): InputMemory {
  if (now === undefined) return before ? { input: before } : {};
  const { isWaiting, ...seen } = now;
  if (before === undefined) return isWaiting ? { input: seen } : {};
  const name = `${now.program} (pid ${now.pid})`;
  const since = isLeftover ? 'since its agent left' : 'since the last look';
  const input = isLeftover || isClosing ? before : seen;
  if (isReadSince(seen, before)) {
    return { input, entered: `something was entered in ${name} ${since}` };
  }
  if (before.turns === AT_WORK) return { input: isWaiting ? seen : before };
  const mayHave = `${name} has run ${since}: something may have been entered in it`;
  if (!isWaiting) return { input: before, entered: mayHave };
  return seen.turns === before.turns || isToldByReads(before) ? { input: seen } : { input, entered: mayHave };
}

/** Whether something was entered for certain: the terminal was read, or another shell is in front of one that waited. */
export function isReadSince(now: RememberedInput, before: RememberedInput): boolean {
  return now.readAt !== before.readAt || (before.turns !== AT_WORK && !isSameProcess(now, before));
}

/** Whether any read after that look has another time: it was taken in a later step than the last read before it. */
function isToldByReads({ readAt, observedAt }: RememberedInput): boolean {
  return stepOf(observedAt / 1000) > stepOf(readAt);
}

function stepOf(seconds: number): number {
  return Math.floor(seconds / STEP_SECONDS);
}
