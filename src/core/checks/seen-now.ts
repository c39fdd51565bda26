import { SIGN_SOURCES } from '../agent/sign.ts';
import type { MassDeathEvidence } from '../verdict/evidence.ts';
import type { Source } from '../verdict/verdict.ts';
import { check, met, unknown } from './check.ts';

/** Every sensor answered, tmux for every pane, nothing contradicts itself, and no mass death casts doubt on it. */
export const seenNow = check('seen-now', ({ facts }) => {
  const failed = facts.unavailable.find((piece) => !IS_JUDGED_ELSEWHERE.has(piece.source));
  if (failed) return unknown(failed.text);
  if (facts.massDeath) return unknown(deathsIn(facts.massDeath));
  const isClear = facts.panes.length > 0 && facts.panes.every((pane) => pane.pane && !pane.isContradictory);
  return isClear
    ? met('tmux answers for every pane, just now and without contradiction')
    : unknown('there is no fresh, agreeing word from tmux on every pane');
});

/** How many panes died at once, in words. */
export function deathsIn({ dead, of }: MassDeathEvidence): string {
  return `${dead} of ${of} panes of this server died at once: a fault, not so many ends`;
}

// People, git and the screen, which is a sign as well, have a check of their own; an agent that could not be heard is not at rest.
const IS_JUDGED_ELSEWHERE: ReadonlySet<Source> = new Set(['people', 'git', ...SIGN_SOURCES]);
