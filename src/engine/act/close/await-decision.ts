import type { CloseDecision } from '../../../core/close/decide.ts';
import { decideClose } from '../../../core/close/decide.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import { awake, type Hands } from '../hands.ts';
import { closedByOthers } from './closed-before.ts';
import { lookAt, type Sight, type Subject } from './look-at.ts';
import type { CloseOrder, CloseResult } from './order.ts';
import { notSeenAtRest } from './patience.ts';

/** Looks until the decision is made; null when it is to go on. */
export async function awaitDecision(
  hands: Hands,
  order: CloseOrder,
  subject: Subject,
): Promise<CloseResult | null> {
  const { timings, onProgress, entry } = order;
  const endsAt = awake(hands) + timings.decideMs;
  for (;;) {
    const decision = decideOn(await lookAt(hands, subject), order);
    if (decision.state === 'gone') return closedByOthers(hands, subject);
    if (decision.state === 'refused') return byOthers(hands, subject) ?? decision;
    if (decision.state === 'go') return null;
    onProgress({ name: entry.name, state: 'waits', text: decision.blockers[0]?.text ?? '' });
    if (awake(hands) >= endsAt) return notSeenAtRest(decision.blockers);
    await hands.wait(Math.min(timings.lookEveryMs, Math.max(0, endsAt - awake(hands))));
  }
}

// What others do to it while they close it looks like work to whoever began to look before.
function byOthers(hands: Hands, subject: Subject): CloseResult | null {
  const result = closedByOthers(hands, subject);
  return result.state === 'vanished' ? null : result;
}

/** What a look at it decides. A wish to keep it gives way to a later one only: who asked to close it did not know of this one. */
export function decideOn(
  sight: Sight,
  { wish, entry: asked }: Pick<CloseOrder, 'wish' | 'entry'>,
): CloseDecision {
  if (sight.state === 'there') {
    const { entry } = sight;
    const decision = decideClose(entry, wish);
    const isSetAside = 'waived' in decision && decision.waived.some(({ code }) => code === 'retained');
    if (!isSetAside || keptAt(entry) === keptAt(asked)) return decision;
    const { blockers, protections } = entry;
    const hint = 'close it again to set that aside';
    return {
      state: 'refused',
      code: 'protected',
      text: 'somebody asked to keep it since',
      blockers,
      protections,
      hint,
    };
  }
  if (sight.state === 'gone') return { state: 'gone' };
  const hint = 'nothing is closed that cannot be seen';
  return { state: 'refused', code: 'unseen', text: sight.text, blockers: [], protections: [], hint };
}

function keptAt({ evidence }: SessionEntry): number | undefined {
  return evidence.flatMap((one) => (one.kind === 'standing' ? (one.retained?.at ?? []) : []))[0];
}
