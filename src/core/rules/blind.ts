import type { Rule } from './rule.ts';

/** Without tmux's word, or without sight of the processes, nothing is known; a failed sensor is never good news. */
export const blind: Rule = ({ pane, processes, unavailable, isContradictory }, now) => {
  const failed = unavailable.find(
    (piece) => piece.source === 'tmux' || piece.source === 'process' || piece.source === 'agent',
  );
  if (failed) {
    return {
      activity: 'unknown',
      reason: {
        code: 'sensor-unavailable',
        source: failed.source,
        observedAt: failed.observedAt,
        text: failed.text,
      },
    };
  }
  const doubt = isContradictory
    ? (['evidence-contradicts', 'two readings of the same moment say different things'] as const)
    : !pane
      ? (['no-fresh-evidence', 'tmux has not been heard on this pane just now'] as const)
      : !pane.isDead && !processes?.processes.length
        ? (['processes-unseen', 'the processes of this pane cannot be seen'] as const)
        : null;
  if (!doubt) return null;
  return {
    activity: 'unknown',
    reason: { code: doubt[0], source: 'tmux', observedAt: now.at, text: doubt[1] },
  };
};
