import type { Roll, SessionEntry } from '../../core/roll.ts';
import { Failure } from '../failure.ts';
import { sessionNamed } from '../session-failure.ts';

/** The sessions that these words name, all or none: where one name is wrong, the others may be too. */
export function allNamed(roll: Roll, words: readonly string[], nothingDone: string): SessionEntry[] {
  try {
    const entries = words.map((word) => sessionNamed(roll, word));
    return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
  } catch (error) {
    if (!(error instanceof Failure) || words.length === 1) throw error;
    const { code, message, details, candidates, hint } = error;
    throw new Failure(code, `${message}; ${nothingDone}`, {
      details,
      candidates,
      hint: hint ?? undefined,
    });
  }
}
