import type { Acted, Terms } from '../../../ports/actuator.ts';
import type { Reach } from './act-if.ts';
import { actOnStance } from './stance.ts';

/** Removes the session if all of it still stands as it stood. */
export function removeSession(reach: Reach, terms: Terms): Promise<Acted> {
  return actOnStance(reach, terms, ({ sessionId }) => [['kill-session', '-t', sessionId]]);
}
