import type { SessionEntry } from '../../core/sight/roll.ts';
import { localTime } from '../render/amounts.ts';

/** The decisive reason, which also names missing proof. For a session that is kept on purpose, until when comes first. */
export function why({ reasons, lifecycle, retainedUntil }: SessionEntry): string {
  const reason = reasons[0]?.text ?? 'no reason was given';
  return lifecycle === 'completed-retained' && retainedUntil !== null
    ? `until ${localTime(retainedUntil)}: ${reason}`
    : reason;
}
