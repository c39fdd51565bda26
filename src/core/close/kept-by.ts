import { CLAIMS, type SessionFacts } from '../ledger/current-facts.ts';
import type { Moment } from '../text/moment.ts';
import { acceptedCompletion, declaredOf } from '../verdict/declared.ts';
import { keptUntil } from '../verdict/retention.ts';
import type { Footing } from './guard.ts';

/** Why it must not be closed by what is declared at this moment; null where nothing stands against it. */
export function keptBy(
  facts: SessionFacts | undefined,
  { waived, isByCompletion = false, isAutomatic = false, declared }: Omit<Footing, 'panes'>,
  now: Moment,
): string | null {
  if (facts === undefined) return isByCompletion ? TAKEN_BACK : null;
  if (facts.closed) return `it was closed already, receipt ${facts.closed.receipt}`;
  if (isByCompletion && acceptedCompletion(declaredOf(facts)) === null) return TAKEN_BACK;
  const { held } = facts;
  if (held && !waived.has('held')) return `it is held${held.reason === null ? '' : `: ${held.reason}`}`;
  if (isRetained(facts, now) && !waived.has('retained')) return 'it is kept on purpose';
  if (isAskedSince(facts, declared)) return 'work was asked of it since this close was decided (gate start)';
  const news = isAutomatic ? newsSince(facts, declared) : null;
  return news === null ? null : `${news} was declared since this close was decided`;
}

const TAKEN_BACK = 'its completion was taken back';

export function isRetained(facts: SessionFacts | undefined, now: Moment): boolean {
  return facts?.retained != null && keptUntil(facts.retained, now) > now.at;
}

// Whoever decided to close it, a person too, did not know of this work.
function isAskedSince({ gates = [] }: SessionFacts, before: SessionFacts | undefined): boolean {
  return gates.some(({ id }) => !before?.gates?.some((known) => known.id === id));
}

/** All that a verdict takes from the ledger and that has a moment; how its program ended is no word of anybody. */
const SPOKEN = {
  origin: 'that rollcall cares for it',
  held: 'a hold of it',
  retained: 'how long it is kept',
  completion: 'another completion',
} as const;

// Nobody asked for an automatic close: it goes on what was said when it was decided, and on nothing else.
function newsSince(facts: SessionFacts, before: SessionFacts | undefined): string | null {
  const names = Object.keys(SPOKEN) as (keyof typeof SPOKEN)[];
  const changed = names.find((name) => facts[name]?.sequence !== before?.[name]?.sequence);
  if (changed !== undefined) return SPOKEN[changed];
  const claim = CLAIMS.find((name) => facts.claims[name] !== (before?.claims[name] ?? null));
  return claim === undefined ? null : `its ${claim}`;
}
