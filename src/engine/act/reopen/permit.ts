import { type Hands, sinceBoot } from '../hands.ts';
import type { ReopenResult } from './order.ts';

/** What a look told of a start. */
interface Asked {
  /** When processes were asked, by `sinceBoot`. */
  readonly at: number;
  readonly hindrance: ReopenResult | null;
}

/** A look that permitted a start, which has its time: a process may be stopped, or its machine suspended, after it. */
export interface Permit {
  /** When that look began, by `sinceBoot`. */
  readonly at: number;
  /** Looks again. */
  again(): Promise<Asked>;
}

/** So long a look permits a start. Within it nobody resumes a conversation by hand that rollcall is about to start. */
const GOOD_FOR_MS = 1_000;
/** On a loaded machine nothing is quicker; whatever took longer was stopped. */
const AT_MOST_MS = 10_000;
const LOOKS = 3;

/**
 * Why what was permitted may not be started any more; null where nothing speaks against it. Right before the start: what was
 * seen long ago is looked at again. A stop between this and the start itself is not noticed.
 */
export async function hindranceSince(hands: Hands, { at, again }: Permit): Promise<ReopenResult | null> {
  if (sinceBoot(hands) - at <= GOOD_FOR_MS) return null;
  for (let looks = 1; looks <= LOOKS; looks += 1) {
    const asked = await again();
    if (asked.hindrance !== null) return asked.hindrance;
    if (sinceBoot(hands) - asked.at <= (looks === LOOKS ? AT_MOST_MS : GOOD_FOR_MS)) return null;
  }
  return { state: 'failed', text: STOPPED, hint: 'nothing was started; try again' };
}

const STOPPED = 'it was stopped each time it had looked whether somebody else has the conversation';
