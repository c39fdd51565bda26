import type { PaneFacts } from '../verdict/facts.ts';
import type { Reason } from '../verdict/verdict.ts';
import type { Rule } from './rule.ts';

/** Without tmux's word, or without sight of the processes, nothing is known; a failed sensor is never good news. */
export const blind: Rule = (facts, now) => {
  const failed = facts.unavailable.find((piece) => !HAS_ITS_OWN_CHECK.has(piece.source));
  if (failed) {
    const { source, observedAt, text } = failed;
    return { activity: 'unknown', reason: { code: 'sensor-unavailable', source, observedAt, text } };
  }
  const doubt = doubtOf(facts);
  return doubt && { activity: 'unknown', reason: { ...doubt, observedAt: now.at } };
};

/** A failure of these says nothing about what the pane is doing; each leaves one line of the closing checklist open. */
const HAS_ITS_OWN_CHECK: ReadonlySet<Reason['source']> = new Set(['screen', 'people', 'git', 'declared']);

function doubtOf({ pane, processes, isContradictory }: PaneFacts): Omit<Reason, 'observedAt'> | null {
  if (isContradictory) {
    const text = 'two readings of the same moment say different things';
    return { code: 'evidence-contradicts', source: 'tmux', text };
  }
  if (!pane) {
    const text = 'tmux has not been heard on this pane just now';
    return { code: 'no-fresh-evidence', source: 'tmux', text };
  }
  const isSeen = pane.isDead || processes?.processes.some((note) => note.relation === 'root');
  if (isSeen) return null;
  const text = 'the processes of this pane cannot be seen';
  return { code: 'processes-unseen', source: 'process', text };
}
