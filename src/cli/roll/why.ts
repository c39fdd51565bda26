import type { SessionEntry } from '../../core/sight/roll.ts';
import { localTime } from '../render/amounts.ts';

/**
 * The one decisive reason; where proof is missing the core has already put into it what is. Of what is kept on purpose
 * first until when.
 */
export function why({ reasons, lifecycle, retainedUntil }: SessionEntry): string {
  const reason = reasons[0]?.text ?? 'no reason was given';
  return lifecycle === 'completed-retained' && retainedUntil !== null
    ? `until ${localTime(retainedUntil)}: ${reason}`
    : reason;
}
