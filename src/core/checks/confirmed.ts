import { spoken } from '../text/duration.ts';
import type { CheckRule } from './check.ts';

/** A live agent was seen quiet over several looks: one look at a still screen proves nothing. */
export const confirmed: CheckRule = ({ facts }) => {
  const code = 'confirmed';
  const live = facts.panes.filter((pane) => pane.processes?.processes.some((note) => note.role === 'agent'));
  if (live.length === 0)
    return { code, state: 'met', text: 'no live agent whose stillness would need confirming' };
  const quietMs = Math.min(...live.map((pane) => (isSeenOften(pane.history) ? pane.history.quietMs : 0)));
  const { confirmMs } = facts.policy;
  return quietMs >= confirmMs
    ? { code, state: 'met', text: `seen quiet over several looks, for ${spoken(quietMs)}` }
    : {
        code,
        state: 'unknown',
        text: `seen quiet for ${spoken(quietMs)} so far; ${spoken(confirmMs)} are asked for`,
      };
};

function isSeenOften<T extends { readonly observations: number }>(history: T | undefined): history is T {
  return history !== undefined && history.observations >= 2;
}
