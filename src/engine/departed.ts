import type { Departed } from '../core/departed.ts';
import type { SessionFacts } from '../core/ledger/current-facts.ts';
import type { Recollection } from '../core/recollection.ts';
import { factsIn } from './declared-standing.ts';
import type { Scene } from './look-at-server.ts';

/** Everything that is known to be gone: by the looks so far, and by what rollcall itself has closed. Newest first. */
export function departedIn({ departed = [] }: Recollection, { declared }: Scene): Departed[] {
  const facts = factsIn(declared);
  const seen = departed.map((one) => ({ ...one, ...closingOf(facts.get(one.key)) }));
  const keys = new Set(departed.filter(({ isPanesOnly }) => !isPanesOnly).map(({ key }) => key));
  const closed = [...facts.values()].filter(({ key }) => !keys.has(key)).flatMap(closedIn);
  return [...seen, ...closed].sort((a, b) => b.lastSeenAt - a.lastSeenAt);
}

function closingOf(facts: SessionFacts | undefined): Pick<Departed, 'closed'> {
  if (facts?.closed == null) return {};
  const { at, receipt } = facts.closed;
  return { closed: { at, receipt } };
}

// One that was reopened has another key since.
function closedIn(facts: SessionFacts): Departed[] {
  const { key, name, origin, closed } = facts;
  if (closed === null || origin?.place == null) return [];
  const lastSeenAt = closed.at;
  return [{ ...origin.place, key, name, panes: [], isPanesOnly: false, lastSeenAt, ...closingOf(facts) }];
}
