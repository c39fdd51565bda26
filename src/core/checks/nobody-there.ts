import { personAwayMs } from '../verdict/protections.ts';
import type { CheckRule } from './check.ts';

/** No person is attached, reading in copy mode, or was typing a moment ago. */
export const nobodyThere: CheckRule = ({ facts }) => {
  const code = 'nobody-there';
  const { people, panes, policy } = facts;
  if (!people || facts.unavailable.some((piece) => piece.source === 'people')) {
    return { code, state: 'unknown', text: 'who is attached is not known' };
  }
  if (people.clients.length > 0) return { code, state: 'unmet', text: `${people.clients.length} attached` };
  if (panes.some((pane) => pane.pane?.isInMode))
    return { code, state: 'unmet', text: 'a pane is in copy mode' };
  return personAwayMs(facts) < policy.recentInputMs
    ? { code, state: 'unmet', text: 'someone was there a moment ago, or may have been' }
    : { code, state: 'met', text: 'nobody is attached, reading or typing' };
};
