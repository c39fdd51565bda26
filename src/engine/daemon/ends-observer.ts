import type { SessionFacts } from '../../core/ledger/current-facts.ts';
import { isExpected } from '../../core/lost.ts';
import { isGone, type Roll } from '../../core/roll.ts';
import type { Ends } from '../../ports/ends.ts';
import type { Desk, RoundObserver } from './desk.ts';

/**
 * Has the ends taken into the ledger that tmux wrote down, as soon as a round shows that their sessions are gone. Whatever
 * is done with hands records them, so nothing else is asked for; an end that could not be recorded is not tried twice.
 */
export function createEndsObserver(
  desk: Pick<Desk, 'ledger' | 'withHands'>,
  ends: Pick<Ends, 'all'>,
): RoundObserver {
  let tried = '';
  return async ({ roll }) => {
    const runs = ends.all().map(({ run }) => run);
    if (runs.length === 0) return;
    const due = dueRuns(runs, desk.ledger.facts().folded.facts.values(), roll).join(' ');
    if (due === tried) return;
    tried = due;
    if (due !== '') await desk.withHands(async () => {});
  };
}

function dueRuns(runs: readonly string[], facts: Iterable<SessionFacts>, { sessions }: Roll): string[] {
  const there = new Set(sessions.filter((entry) => !isGone(entry)).map(({ key }) => key));
  const gone = [...facts].filter((one) => isExpected(one) && !there.has(one.key));
  const known = new Set(gone.map(({ origin }) => origin?.run));
  return runs.filter((run) => known.has(run)).sort();
}
