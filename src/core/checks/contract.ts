import { gateChecks } from '../gate/unfinished.ts';
import { openGates, refusedCompletion } from '../verdict/declared.ts';
import type { CheckAnswer, Judged } from './check.ts';

/**
 * What a completion that was not accepted still lacks, and what work that its owner is to finish does, one line each;
 * none where nothing was asked for.
 */
export function contractChecks({ facts }: Judged): CheckAnswer[] {
  const { standing } = facts;
  if (!standing) return [];
  const blockers = refusedCompletion(standing)?.blockers ?? [];
  const refused = blockers.map(({ text }): CheckAnswer => ({ code: 'contract', state: 'unmet', text }));
  return [...refused, ...gateChecks(openGates(standing, facts))];
}
