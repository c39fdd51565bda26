import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import { isExpected } from '../../core/memory/lost.ts';
import { isGone, type Roll } from '../../core/sight/roll.ts';
import type { Ends } from '../../ports/records.ts';
import { unsettledIn } from '../act/ends/record-ends.ts';
import type { Desk, RoundObserver } from './desk.ts';

/**
 * Has the ends taken into the ledger that tmux wrote down, as soon as a round shows that their sessions are gone, and has
 * those settled that were held up and are not any more. Whatever
 * is done with hands records them, so nothing else is asked for; an end that could not be recorded is not tried twice.
 */
export function createEndsObserver(
  desk: Pick<Desk, 'ledger' | 'withHands'>,
  ends: Pick<Ends, 'all'>,
): RoundObserver {
  let tried = '';
  return async ({ roll, now }) => {
    const runs = ends.all().map(({ run }) => run);
    const facts = [...desk.ledger.facts().folded.facts.values()];
    const released = unsettledIn(facts, now).map(({ key }) => key);
    const due = [...dueRuns(runs, facts, roll), ...released.sort()].join(' ');
    if (due === tried) return;
    tried = due;
    if (due !== '') await desk.withHands(async () => {});
  };
}

function dueRuns(runs: readonly string[], facts: readonly SessionFacts[], { sessions }: Roll): string[] {
  const there = new Set(sessions.filter((entry) => !isGone(entry)).map(({ key }) => key));
  const gone = facts.filter((one) => isExpected(one) && !there.has(one.key));
  const known = new Set(gone.map(({ origin }) => origin?.run));
  return runs.filter((run) => known.has(run)).sort();
}
