import type { Moment } from '../text/moment.ts';

/** Who was in a session at a look, as far as the next one needs it. */
export interface RememberedPeople {
  readonly isAttached: boolean;
  /** When whom tmux saw attach, in its own words: only ever compared, because its clock can be stepped. */
  readonly arrivals: string;
  /** The last moment on the awake clock at which somebody may have been there; absent where nobody ever was. */
  readonly thereAwakeMs?: number;
}

/** What this look saw of people in a session, and in those that show the same windows. */
export interface PeopleReading {
  readonly isAttached: boolean;
  /** Empty where nobody ever attached. */
  readonly arrivals: string;
  readonly lastAttachedAt?: number;
}

// tmux tells whole seconds and may take some to answer: somebody may come after the answer within the second that it tells.
const SAME_SECOND_MS = 5000;

/**
 * Until when somebody may have been there. tmux tells when a client attached and never when it left, so whoever is gone may
 * have left just now: after the last look that saw them, or since a time that no look has covered. From then on looks
 * without anybody count, and tmux proves that nobody came between two of them.
 */
export function rememberPeople(
  { isAttached, arrivals, lastAttachedAt }: PeopleReading,
  earlier: RememberedPeople | undefined,
  now: Moment,
): RememberedPeople {
  const isNew = arrivals !== (earlier?.arrivals ?? '');
  const isThisSecond = lastAttachedAt !== undefined && Math.abs(now.at - lastAttachedAt) < SAME_SECOND_MS;
  const mayBeThere = isAttached || earlier?.isAttached || isNew || isThisSecond;
  const thereAwakeMs = mayBeThere ? now.awakeMs : earlier?.thereAwakeMs;
  return { isAttached, arrivals, ...(thereAwakeMs !== undefined && { thereAwakeMs }) };
}
