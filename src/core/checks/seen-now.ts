import type { CheckRule } from './check.ts';

/** tmux answered just now for every pane, nothing contradicts itself, and no mass death casts doubt on the answer. */
export const seenNow: CheckRule = ({ facts }) => {
  const code = 'seen-now';
  const failed = facts.unavailable.find((piece) => piece.source === 'tmux' || piece.source === 'process');
  if (failed) return { code, state: 'unknown', text: failed.text };
  if (facts.massDeath) {
    const { dead, of } = facts.massDeath;
    return {
      code,
      state: 'unknown',
      text: `${dead} of ${of} panes of this server died at once: a fault, not so many ends`,
    };
  }
  const isClear = facts.panes.length > 0 && facts.panes.every((pane) => pane.pane && !pane.isContradictory);
  return isClear
    ? { code, state: 'met', text: 'tmux answers for every pane, just now and without contradiction' }
    : { code, state: 'unknown', text: 'there is no fresh, agreeing word from tmux on every pane' };
};
