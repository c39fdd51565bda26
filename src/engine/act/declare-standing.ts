import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import type { SessionEntry } from '../../core/roll.ts';
import { identityOf } from '../../core/roll.ts';
import type { Declared } from './declare.ts';
import { declare, subjectOf } from './declare.ts';
import type { Hands } from './hands.ts';

/** Nobody closes it until that is taken back. The session bears it too, first: what closes it asks tmux at the last moment. */
export async function hold(hands: Hands, entry: SessionEntry, reason: string | null): Promise<Declared> {
  await hands.tmux.markHeld(identityOf(entry), hands.now());
  return declare(hands, {
    action: 'hold',
    session: subjectOf(entry),
    decide: (facts) => (facts?.held && facts.held.reason === reason ? null : { reason }),
  });
}

/** Takes a hold back, from the ledger and then from the session: until both are done it is held. */
export async function unhold(hands: Hands, entry: SessionEntry): Promise<Declared> {
  const isSeenHeld = entry.evidence.some((one) => one.kind === 'standing' && one.held !== undefined);
  const declared = await declare(hands, {
    action: 'unhold',
    session: subjectOf(entry),
    decide: (facts) => (facts?.held || isSeenHeld ? {} : null),
  });
  if (declared.state !== 'declared' && declared.state !== 'already') return declared;
  const taken = await hands.tmux.markHeld(identityOf(entry), null);
  if (taken.state !== 'failed') return declared;
  const text = `its tmux session is still marked as held: ${taken.text}`;
  return { state: 'failed', text, hint: 'try again: rollcall unhold' };
}

/** Kept until then; `until` in the past takes that back. */
export function retain(
  hands: Hands,
  entry: SessionEntry,
  { until, reason }: { readonly until: number; readonly reason: string | null },
): Promise<Declared> {
  return declare(hands, {
    action: 'retain',
    session: subjectOf(entry),
    decide: (facts) =>
      facts?.retained?.until === until && facts.retained.reason === reason ? null : { until, reason },
  });
}

/** Ends a retention now; there is nothing to record where none holds. */
export function release(hands: Hands, entry: SessionEntry): Promise<Declared> {
  return declare(hands, {
    action: 'retain',
    session: subjectOf(entry),
    decide: (facts) => {
      const now = hands.now();
      return isRetained(facts, now) ? { until: now, reason: null, released: true } : null;
    },
  });
}

export function isRetained(facts: SessionFacts | undefined, now: number): boolean {
  const until = facts?.retained?.until;
  return until === null || (until !== undefined && until > now);
}
