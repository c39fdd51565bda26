import { unfinishedWork } from '../gate/unfinished.ts';
import type { Moment } from '../text/moment.ts';
import { type Declared, openGates, refusedCompletion } from '../verdict/declared.ts';
import { ago, because, wishOf } from '../verdict/retention.ts';
import type { Reason } from '../verdict/verdict.ts';

/**
 * What somebody declared that keeps a session from being closed automatically. It holds for one that has ended, too: nobody
 * took it back. A completion's own retention does not: there is nothing left to retain.
 */
export function heldUpBy(declared: Declared, now: Moment): Reason[] {
  const work = openGates(declared, { now });
  const wish = wishOf(declared, now);
  return [
    ...(work.length > 0 ? [unfinishedWork(work, now.at).reason] : []),
    ...heldIn(declared, now),
    ...(wish ? [wish.reason] : []),
    ...refusedIn(declared, now),
  ];
}

function heldIn({ held }: Declared, now: Moment): Reason[] {
  if (held === undefined) return [];
  const text = `held ${ago(now.at - held.at)}${because(held.reason)}`;
  return [{ code: 'held', source: 'declared', observedAt: held.at, text }];
}

/** A completion that lacked something when it was declared, as a reason. */
export function refusedIn(declared: Declared, now: Moment): Reason[] {
  const refused = refusedCompletion(declared);
  if (refused === null) return [];
  const missing = refused.blockers.map(({ text }) => text).join('; ');
  const text = `declared complete ${ago(now.at - refused.at)}, not accepted: ${missing}`;
  return [{ code: 'completion-refused', source: 'declared', observedAt: refused.at, text }];
}
