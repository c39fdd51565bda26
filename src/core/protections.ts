import { spoken } from './duration.ts';
import type { PeopleEvidence } from './evidence.ts';
import type { SessionFacts } from './facts.ts';
import { because, leftOf, wishOf } from './retention.ts';
import type { Protection } from './verdict.ts';

/** What keeps a session from being closed whatever the proof says. */
export function protectionsOf(facts: SessionFacts): Protection[] {
  const { people, standing, now, policy } = facts;
  const found: Protection[] = [];
  if (standing?.isOwnSession) found.push({ code: 'own-session', text: 'rollcall itself runs in it' });
  if (standing?.protectedBy !== undefined) {
    found.push({
      code: 'human-managed',
      text: `its name matches the protected pattern ${standing.protectedBy}`,
    });
  }
  if (standing?.held) {
    const { at, reason } = standing.held;
    found.push({ code: 'held', text: `held for ${spoken(Math.max(0, now.at - at))}${because(reason)}` });
  }
  const wish = wishOf(facts);
  if (wish) found.push({ code: 'retained', text: `${wish.reason.text}; ${leftOf(wish.until, now.at)}` });
  if (people && people.clients.length > 0) {
    const where = people.isThroughGroup ? ' (through a grouped session)' : '';
    found.push({ code: 'attached', text: `${people.clients.length} attached${where}` });
  }
  const inputAgeMs = people ? now.at - lastInputAt(people) : Number.POSITIVE_INFINITY;
  if (inputAgeMs < policy.recentInputMs) {
    found.push({ code: 'recent-input', text: `someone was there ${spoken(Math.max(0, inputAgeMs))} ago` });
  }
  if (!standing?.isManaged) {
    found.push({
      code: 'not-managed',
      text: 'rollcall neither started nor adopted it, so it is never closed automatically',
    });
  }
  return found;
}

/** When a person was last known to be there; 0 when never. */
export function lastInputAt(people: PeopleEvidence): number {
  const inputs = people.clients.map((client) => client.lastInputAt ?? 0);
  return Math.max(0, people.lastAttachedAt ?? 0, ...inputs);
}
