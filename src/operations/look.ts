import type { ExplainDocument, RollDocument } from '../contract/document-schemas.ts';
import type { Input } from '../contract/operations.ts';
import { toExplainDocument, toRollDocument } from '../contract/roll-document.ts';
import type { Roll } from '../core/sight/roll.ts';
import { visible } from '../core/text/visible.ts';
import type { At } from './at.ts';
import { type Filter, filterSessions } from './filter-sessions.ts';
import { requireServers, requireTmux } from './look-for.ts';
import { findOne } from './one-session.ts';
import { sessionsNear } from './select-session.ts';
import { notFound } from './session-named.ts';

export async function roll(input: Input<'roll'>, at: Pick<At, 'look' | 'socketOf'>): Promise<RollDocument> {
  const {
    sessions = [],
    lifecycle = [],
    activity = [],
    agent = [],
    name,
    all = false,
    fresh = false,
  } = input;
  const servers = (input.servers ?? []).map((word) => at.socketOf(word));
  const whole = await at.look({
    isWithClosed: all,
    mayBeEarlier: !fresh && !all,
    ...(servers.length > 0 && { servers }),
  });
  requireServers(whole, servers);
  requireTmux(whole);
  const filter = { words: sessions, servers, lifecycles: lifecycle, activities: activity, agents: agent };
  const seen = narrowed(whole, filter);
  const isNamed = (one: string) => name === undefined || visible(one) === visible(name);
  return toRollDocument({ ...seen, sessions: seen.sessions.filter((entry) => isNamed(entry.name)) });
}

/** The part of the roll that a filter lets through. Fails where a plain word names no session; `hint` says what it may have meant. */
export function narrowed(roll: Roll, filter: Filter, hint?: (word: string) => string | undefined): Roll {
  const filtered = filterSessions(roll, filter);
  if (filtered.state === 'matched') return filtered.roll;
  const { word } = filtered;
  throw notFound(roll, word, sessionsNear(roll.sessions, word), hint?.(word));
}

export async function explain(
  input: Input<'explain'>,
  at: Pick<At, 'look' | 'socketOf'>,
): Promise<ExplainDocument> {
  const { roll: seen, entry } = await findOne(at, input, { isThorough: true, mayBeGone: true });
  return toExplainDocument(seen, entry);
}
