import type { ProgramEnd } from '../ended.ts';
import type { SessionEntry } from '../roll.ts';

/**
 * Whether a session went with its tmux server, or with a boot of the machine, and not in order: nobody wished that. One
 * that was gone before its server may have been removed by somebody. A program that was ended by a signal on the way down counts; one that ended by itself does not.
 */
export function isLostWithServer({ lostBy, missedAt, lifecycle, ended }: SessionEntry): boolean {
  if (lostBy === undefined || lostBy === 'missing' || lifecycle === 'closed') return false;
  if (missedAt !== undefined) return false;
  return ended === undefined ? lifecycle === 'lost' : isTakenDown(ended);
}

/** HUP, KILL and TERM: what a machine that goes down sends, and the kernel where memory runs out. */
const SIGNALS: ReadonlySet<string> = new Set(['1', '9', '15', 'HUP', 'KILL', 'TERM']);
/** The same as shells and agents tell it. */
const STATUSES: ReadonlySet<number> = new Set([129, 137, 143]);

function isTakenDown({ exitStatus, exitSignal }: ProgramEnd): boolean {
  if (exitSignal !== null) return SIGNALS.has(exitSignal.toUpperCase().replace(/^SIG/, ''));
  return exitStatus !== null && STATUSES.has(exitStatus);
}
