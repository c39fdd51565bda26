import { personAwayMs } from '../verdict/protections.ts';
import { check, met, unknown, unmet } from './check.ts';

/** No person is attached, reading in copy mode, or was typing a moment ago. */
export const nobodyThere = check('nobody-there', ({ facts }) => {
  const { people, panes, policy } = facts;
  if (!people || facts.unavailable.some((piece) => piece.source === 'people')) {
    return unknown('who is attached is not known');
  }
  if (people.clients.length > 0) return unmet(`${people.clients.length} attached`);
  if (panes.some((pane) => pane.pane?.isInMode)) return unmet('a pane is in copy mode');
  return personAwayMs(facts) < policy.recentInputMs
    ? unmet('someone was there a moment ago, or may have been')
    : met('nobody is attached, reading or typing');
});
