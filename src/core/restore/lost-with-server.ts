import { LEFT_MS } from '../layout/next-layout.ts';
import type { ProgramEnd } from '../memory/ended.ts';
import type { SessionEntry } from '../sight/roll.ts';

/**
 * Whether a session went with its tmux server, or with a boot of the machine, and not in order: nobody wished that. One
 * that was gone before its server may have been removed by somebody. A program that was ended by a signal on the way down counts; one that ended by itself does not,
 * nor one whose server was seen long after its end.
 */
export function isLostWithServer(entry: SessionEntry): boolean {
  const { lostBy, missedAt, lifecycle, ended, serverSeenAt = 0 } = entry;
  if (lostBy === undefined || lostBy === 'missing' || lifecycle === 'closed') return false;
  if (missedAt !== undefined) return false;
  if (ended === undefined) return lifecycle === 'lost';
  return isTakenDown(ended) && serverSeenAt - ended.endedAt < LEFT_MS;
}

/** HUP, KILL and TERM: what a machine that goes down sends, and the kernel where memory runs out. */
const SIGNALS: ReadonlySet<string> = new Set(['1', '9', '15', 'HUP', 'KILL', 'TERM']);
/** The same as shells and agents tell it. */
const STATUSES: ReadonlySet<number> = new Set([129, 137, 143]);

function isTakenDown({ exitStatus, exitSignal }: ProgramEnd): boolean {
  if (exitSignal !== null) return SIGNALS.has(exitSignal.toUpperCase().replace(/^SIG/, ''));
  return exitStatus !== null && STATUSES.has(exitStatus);
}
