import { refusedCompletion } from '../declared.ts';
import type { Check } from '../verdict.ts';
import type { Judged } from './check.ts';

/** What a completion that was not accepted still lacks, one line each; none where nothing was asked for. */
export function contractChecks({ facts: { standing } }: Judged): Check[] {
  const refused = standing && refusedCompletion(standing);
  return refused ? refused.blockers.map(({ text }) => ({ code: 'contract', state: 'unmet', text })) : [];
}
