import type { SessionEntry } from '../../core/roll.ts';
import { closeSession } from '../act/close/close-session.ts';
import { recoverAll } from '../act/recover.ts';
import { type CloseOutcome, outcomeOf, outcomeOfError } from '../reaper/outcome.ts';
import type { SettlerParts } from './parts.ts';

/** A close that goes on while others are looked at. */
export interface Settling {
  readonly session: { readonly key: string; readonly name: string };
  /** Null until it has ended. */
  outcome(): CloseOutcome | null;
  /** Settles when it has ended, however. */
  readonly over: Promise<void>;
}

/** Begins to close a session that is due; `release` is called when that has ended. */
export function beginSettling(parts: SettlerParts, entry: SessionEntry, release: () => void): Settling {
  let outcome: CloseOutcome | null = null;
  // Nobody waits for it: what it throws would end the daemon.
  const over = settle(parts, entry)
    .catch(outcomeOfError)
    .then((ended) => {
      outcome = ended;
      release();
    });
  return { session: { key: entry.key, name: entry.name }, outcome: () => outcome, over };
}

function settle(parts: SettlerParts, entry: SessionEntry): Promise<CloseOutcome> {
  const wish = { isForced: false, despite: [], isAutomatic: true, isByCompletion: true };
  const reason = entry.reasons[0]?.text ?? null;
  return parts.withHands(async (hands) => {
    await recoverAll(hands);
    const { argv, timings } = parts;
    return outcomeOf(await closeSession(hands, { entry, wish, reason, argv, timings, onProgress: () => {} }));
  });
}
