import { spoken } from '../text/duration.ts';
import { elapsedMs, unrealMs } from '../text/elapsed.ts';
import type { VerdictFacts } from './facts.ts';
import { because, leftOf, wishOf } from './retention.ts';
import type { Protection } from './verdict.ts';

/** What keeps a session from being closed whatever the proof says. */
export function protectionsOf(facts: VerdictFacts): Protection[] {
  const { people, standing, now, policy } = facts;
  const found: Protection[] = [];
  if (standing?.isOwnSession) found.push({ code: 'own-session', text: 'rollcall itself runs in it' });
  if (standing?.protectedBy !== undefined) {
    found.push({
      code: 'human-managed',
      text: `its name matches the protected pattern ${standing.protectedBy}`,
    });
  }
  if (standing?.brokenProject !== undefined) {
    found.push({
      code: 'project-config-broken',
      text: `the settings of its project cannot be read: ${standing.brokenProject}`,
    });
  }
  if (standing?.held) {
    const { at, reason } = standing.held;
    found.push({ code: 'held', text: `held for ${spoken(Math.max(0, now.at - at))}${because(reason)}` });
  }
  const wish = wishOf(facts);
  if (wish) found.push({ code: 'retained', text: `${wish.reason.text}; ${leftOf(wish.until, now.at)}` });
  const attached = people ? people.clients.length : 0;
  if (people && attached > 0) {
    const where = people.isThroughGroup ? ' (through another session)' : '';
    found.push({ code: 'attached', text: `${attached} attached${where}` });
  }
  const awayMs = personAwayMs(facts);
  if (awayMs < policy.recentInputMs) {
    // Nobody tells when somebody left: it may have been as late as that.
    const who = attached > 0 ? 'someone was there' : 'someone may have been there';
    found.push({ code: 'recent-input', text: `${who} ${spoken(awayMs)} ago` });
  }
  if (!standing?.isManaged) {
    found.push({
      code: 'not-managed',
      text: 'rollcall neither started nor adopted it, so it is never closed automatically',
    });
  }
  return found;
}

/**
 * Awake time for which no person can have been there, ms; Infinity where nobody ever was. One who is attached was there when
 * they last typed; one who is not, when somebody last may have been. What is not known is as good as just now.
 */
export function personAwayMs({ people, now, clock }: VerdictFacts): number {
  if (!people) return Number.POSITIVE_INFINITY;
  if (people.clients.length > 0) {
    const inputs = people.clients.map((client) => client.lastInputAt ?? 0);
    return elapsedMs({ at: Math.max(people.lastAttachedAt ?? 0, ...inputs) }, now, unrealMs(clock));
  }
  if (people.awayMs !== undefined) return people.awayMs;
  return people.lastAttachedAt === undefined ? Number.POSITIVE_INFINITY : 0;
}
