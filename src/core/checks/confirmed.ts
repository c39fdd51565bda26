import { spoken } from '../text/duration.ts';
import { check, met, unknown } from './check.ts';

/** A live agent was seen quiet over several looks: one look at a still screen proves nothing. */
export const confirmed = check('confirmed', ({ facts }) => {
  const live = facts.panes.filter((pane) => pane.processes?.processes.some((note) => note.role === 'agent'));
  if (live.length === 0) return met('no live agent whose stillness would need confirming');
  const quietMs = Math.min(...live.map((pane) => (isSeenOften(pane.history) ? pane.history.quietMs : 0)));
  const { confirmMs } = facts.policy;
  return quietMs >= confirmMs
    ? met(`seen quiet over several looks, for ${spoken(quietMs)}`)
    : unknown(`seen quiet for ${spoken(quietMs)} so far; ${spoken(confirmMs)} are asked for`);
});

function isSeenOften<T extends { readonly observations: number }>(history: T | undefined): history is T {
  return history !== undefined && history.observations >= 2;
}
