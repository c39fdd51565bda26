import { spoken } from '../text/duration.ts';
import { elapsedMs, unrealMs } from '../text/elapsed.ts';
import type { VerdictFacts } from './facts.ts';
import { because, leftOf, wishOf } from './retention.ts';
import type { Protection } from './verdict.ts';

/** What keeps a session from being closed whatever the proof says. */
export function protectionsOf(facts: VerdictFacts): Protection[] {
  const { people, standing, now, policy } = facts;
  const found: Protection[] = [];
  const keep = (code: string, text: string) => found.push({ code, text });
  const { protectedBy, brokenProject, held } = standing ?? {};
  if (standing?.isOwnSession) keep('own-session', 'rollcall itself runs in it');
  if (protectedBy !== undefined)
    keep('human-managed', `its name matches the protected pattern ${protectedBy}`);
  if (brokenProject !== undefined) {
    keep('project-config-broken', `the settings of its project cannot be read: ${brokenProject}`);
  }
  if (held) keep('held', `held for ${spoken(Math.max(0, now.at - held.at))}${because(held.reason)}`);
  const wish = wishOf(standing, now);
  if (wish) keep('retained', `${wish.reason.text}; ${leftOf(wish.until, now.at)}`);
  const attached = people ? people.clients.length : 0;
  const where = people?.isThroughGroup ? ' (through another session)' : '';
  if (attached > 0) keep('attached', `${attached} attached${where}`);
  const awayMs = personAwayMs(facts);
  // Nobody tells when somebody left: it may have been as late as that.
  const who = attached > 0 ? 'someone was there' : 'someone may have been there';
  if (awayMs < policy.recentInputMs) keep('recent-input', `${who} ${spoken(awayMs)} ago`);
  if (!standing?.isManaged) {
    keep('not-managed', 'rollcall neither started nor adopted it, so it is never closed automatically');
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
