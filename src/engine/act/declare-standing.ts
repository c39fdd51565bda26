import { isRetained } from '../../core/close/kept-by.ts';
import { identityOf, isGone, type SessionEntry } from '../../core/sight/roll.ts';
import { type Declared, declare, subjectOf } from './declare.ts';
import { paneIdsOf } from './declare-adopted.ts';
import type { Hands } from './hands.ts';
import { outlastClose } from './outlast-close.ts';
import type { Trouble } from './trouble.ts';

/**
 * Nobody closes it until that is taken back. The session bears it too, first: what closes it asks tmux at the last moment. A
 * hold that could not be recorded leaves no mark.
 */
export async function hold(
  hands: Hands,
  entry: SessionEntry,
  reason: string | null,
): Promise<Declared<Trouble>> {
  const target = identityOf(entry);
  const paneIds = paneIdsOf(entry);
  await hands.tmux.markHeld(target, hands.now());
  let isRecorded = entry.protections.some(({ code }) => code === 'held');
  try {
    const declared = await declare(hands, {
      action: 'hold',
      session: subjectOf(entry),
      decide: (facts) => (facts?.held && facts.held.reason === reason ? null : { reason, paneIds }),
    });
    isRecorded ||= declared.state === 'declared' || declared.state === 'already';
    return await outlastClose(hands, entry, declared);
  } finally {
    if (!isRecorded) await hands.tmux.markHeld(target, null);
  }
}

/** Takes a hold back, from the ledger and then from the session: until both are done it is held. */
export async function unhold(hands: Hands, entry: SessionEntry): Promise<Declared> {
  const isSeenHeld = entry.evidence.some((one) => one.kind === 'standing' && one.held !== undefined);
  const declared = await declare(hands, {
    action: 'unhold',
    session: subjectOf(entry),
    decide: (facts) => (facts?.held || isSeenHeld ? {} : null),
  });
  // A session that is gone bears nothing any more.
  if ((declared.state !== 'declared' && declared.state !== 'already') || isGone(entry)) return declared;
  const taken = await hands.tmux.markHeld(identityOf(entry), null);
  if (taken.state !== 'failed') return declared;
  const text = `its tmux session is still marked as held: ${taken.text}`;
  return { state: 'failed', text, hint: 'try again: rollcall unhold' };
}

/** Kept until a date, or for a time: a date follows the wall clock, a time is counted while the machine is awake. */
export type Keeping = ({ readonly until: number } | { readonly forMs: number }) & {
  readonly reason: string | null;
};

export async function retain(
  hands: Hands,
  entry: SessionEntry,
  keeping: Keeping,
): Promise<Declared<Trouble>> {
  const { reason } = keeping;
  const paneIds = paneIdsOf(entry);
  const declared = await declare(hands, {
    action: 'retain',
    session: subjectOf(entry),
    decide: (facts) => {
      if ('forMs' in keeping) {
        const { at, awakeMs } = hands.moment();
        return { until: at + keeping.forMs, forMs: keeping.forMs, awakeMs, reason, paneIds };
      }
      const { until } = keeping;
      const { retained } = facts ?? {};
      const isKnown = retained?.until === until && retained.forMs === undefined && retained.reason === reason;
      return isKnown ? null : { until, reason, paneIds };
    },
  });
  return outlastClose(hands, entry, declared);
}

/** Ends a retention now; there is nothing to record where none holds. */
export function release(hands: Hands, entry: Pick<SessionEntry, 'key' | 'name'>): Promise<Declared> {
  return declare(hands, {
    action: 'retain',
    session: subjectOf(entry),
    decide: (facts) => {
      const now = hands.moment();
      return isRetained(facts, now) ? { until: now.at, reason: null, released: true } : null;
    },
  });
}
