import { missingIn, missingNotes } from '../../core/restore/offer.ts';
import type { Roll, SessionEntry } from '../../core/sight/roll.ts';
import type { Hands } from '../act/hands.ts';
import { createLayoutKeeper } from './keep-layouts.ts';

/**
 * Does some work, and keeps afterwards how the sessions are laid out that it looked at last: nothing may stand between a look
 * and an act. Also which sessions their server answered without. What cannot be kept is no failure of the work. After work that failed nothing is written: its disk may be full.
 */
export async function keepingLayouts<T>(hands: Hands, work: (hands: Hands) => Promise<T>): Promise<T> {
  const seen = new Map<string, Roll['sessions'][number]>();
  const missing = new Map<string, SessionEntry>();
  const look: Hands['look'] = async (options) => {
    const roll = await hands.look(options);
    for (const entry of roll.sessions) seen.set(entry.key, entry);
    for (const entry of missingIn(roll.sessions)) missing.set(entry.key, entry);
    return roll;
  };
  const done = await work({ ...hands, look });
  await createLayoutKeeper(hands)({ sessions: [...seen.values()] }).catch(() => {});
  rememberMissing(hands, missing.values());
  return done;
}

function rememberMissing({ ledger }: Pick<Hands, 'ledger'>, missing: Iterable<SessionEntry>): void {
  try {
    const { folded, damage } = ledger.facts();
    if (damage === null) for (const note of missingNotes(missing, folded.facts)) ledger.append(note);
  } catch {
    // The next command, or the daemon, sees it again.
  }
}
