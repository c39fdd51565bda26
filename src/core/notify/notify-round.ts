import { type Condition, conditionsOf, isCertain, type NotifiedRound } from './conditions.ts';
import { MOST_TOLD, type NotifyMemory, type RuleUse, type ToldNotice } from './memory.ts';
import { countOf, type Notification, summaryOf, type WithheldCounts, withWithheld } from './notification.ts';
import type { Matches, NotifyPolicy, NotifyRule } from './rule.ts';

/** One notification on its way to where one rule sends it. */
export interface Outgoing {
  readonly rule: NotifyRule;
  readonly notification: Notification;
}

/**
 * Decides what of a round is told, by which rules, and what is remembered then. What no rule is about is neither told nor
 * remembered. `isChanged`: the memory is worth keeping, because more than times of sight are new in it.
 */
export function notifyRound(
  memory: NotifyMemory,
  round: NotifiedRound,
  policy: NotifyPolicy,
  matches: Matches,
) {
  const { awakeMs, at } = round.now;
  const certain = new Set(round.roll.sessions.filter(isCertain).map(({ key }) => key));
  const wanted = conditionsOf(round).filter((condition) =>
    policy.rules.some((rule) => concerns(rule, condition, matches)),
  );
  const { news, told, isChanged } = tellOnce(memory.told, wanted, {
    ...{ awakeMs, againMs: policy.againMs, hasEnded: (key) => certain.has(key) },
  });
  const outgoing: Outgoing[] = [];
  const uses: [string, RuleUse][] = policy.rules.map((rule) => {
    const own = news.filter((condition) => concerns(rule, condition, matches));
    const { send, use } = allow(
      memory.rules[rule.name],
      own.map((condition) => condition.tell()),
      { awakeMs, at, host: round.roll.host.name, perHour: policy.perHour },
    );
    outgoing.push(...send.map((notification) => ({ rule, notification })));
    return [rule.name, use];
  });
  return {
    outgoing,
    memory: { ...memory, told, rules: Object.fromEntries(uses) },
    isChanged: isChanged || outgoing.length > 0,
  };
}

function concerns({ on, only }: NotifyRule, { event, name }: Condition, matches: Matches): boolean {
  if (!on.includes(event)) return false;
  return name === null || only.length === 0 || only.some((pattern) => matches(pattern, name));
}

const HOUR_MS = 60 * 60_000;

/** More than this many at once nobody reads one by one. */
const AT_ONCE = 10;

/**
 * Holds a rule to its hour: what may be sent now, and what the rule has used then. The last one that is allowed says how many are withheld with it; what is withheld later is
 * summed up as soon as the hour has room again.
 */
export function allow(
  before: RuleUse | undefined,
  wanted: readonly Notification[],
  now: { readonly awakeMs: number; readonly at: number; readonly host: string; readonly perHour: number },
) {
  const sentMs = (before?.sentMs ?? []).filter((ms) => now.awakeMs - ms < HOUR_MS);
  const unsaid = before?.withheld ?? {};
  const room = Math.max(0, now.perHour - sentMs.length);
  const summary = countOf(unsaid) > 0 && room > 0 ? [summaryOf(unsaid, now.at, now.host)] : [];
  const most = Math.min(room - summary.length, AT_ONCE);
  const sent = wanted.slice(0, Math.max(0, most));
  const kept = wanted.slice(sent.length);
  const withheld = counted(summary.length > 0 ? {} : unsaid, kept);
  const last = sent.at(-1);
  const isSaid = last !== undefined && kept.length > 0;
  const send = [...summary, ...(isSaid ? [...sent.slice(0, -1), withWithheld(last, withheld)] : sent)];
  const use: RuleUse = {
    sentMs: [...sentMs, ...send.map(() => now.awakeMs)],
    withheld: isSaid ? {} : withheld,
  };
  return { send, use };
}

function counted(before: WithheldCounts, kept: readonly Notification[]): WithheldCounts {
  const counts: Record<string, number> = { ...before };
  for (const { event } of kept) counts[event] = (counts[event] ?? 0) + 1;
  return counts;
}

/** What was not seen for this long, awake time, is gone for good: its session was closed, its server is no more. */
const FORGET_AFTER_MS = 60 * 60_000;

/**
 * Each thing is told once, until it was seen to end and came back; then again, though not within `againMs` of the last
 * time: if it still is so then, it is told then. `hasEnded`: of a thing that is not so now, whether that is certain.
 * `isChanged`: something is remembered that was not, or not any more.
 */
export function tellOnce(
  before: readonly ToldNotice[],
  conditions: readonly Condition[],
  { awakeMs, againMs, hasEnded }: { awakeMs: number; againMs: number; hasEnded: (key: string) => boolean },
) {
  const known = new Map(before.map((one) => [one.id, one]));
  const isQuiet = (told: ToldNotice | undefined) => told !== undefined && awakeMs - told.awakeMs < againMs;
  const news: Condition[] = [];
  const now = new Set<string>();
  let isChanged = false;
  for (const condition of conditions) {
    const id = idOf(condition);
    const told = known.get(id);
    now.add(id);
    if (told?.isOn) known.set(id, { ...told, seenMs: awakeMs });
    else if (!isQuiet(told) && isNews(condition, known) && hasRoom(known)) {
      news.push(condition);
      known.set(id, { id, awakeMs, isOn: condition.isLasting, seenMs: awakeMs });
      if (condition.event === 'pressure') endOthers(known, id);
      isChanged = true;
    }
  }
  for (const told of known.values()) {
    if (now.has(told.id)) continue;
    if (told.isOn && !isTier(told.id) && hasEnded(keyOf(told.id))) {
      known.set(told.id, { ...told, isOn: false, seenMs: awakeMs });
      isChanged = true;
    } else if (isForgotten(told, awakeMs, againMs)) {
      known.delete(told.id);
      isChanged = true;
    }
  }
  return { news, told: [...known.values()], isChanged };
}

/** Of a condition, how it is remembered. */
export function idOf({ event, key }: Pick<Condition, 'event' | 'key'>): string {
  return `${event} ${key}`;
}

function keyOf(id: string): string {
  return id.slice(id.indexOf(' ') + 1);
}

// A tier ends when the next one is told, so that one that nobody was told of is never said to be over.
function isTier(id: string): boolean {
  return id.startsWith('pressure ');
}

function isNews({ event, key }: Condition, known: ReadonlyMap<string, ToldNotice>): boolean {
  if (event !== 'pressure' || key !== 'normal') return true;
  return [...known.values()].some(({ id, isOn }) => isOn && isTier(id));
}

function endOthers(known: Map<string, ToldNotice>, id: string): void {
  for (const told of known.values()) {
    if (isTier(told.id) && told.id !== id) known.set(told.id, { ...told, isOn: false });
  }
}

// What lasts is never forgotten for something new: it would be new again at the next round.
function hasRoom(known: Map<string, ToldNotice>): boolean {
  if (known.size < MOST_TOLD) return true;
  for (const { id, isOn } of known.values()) if (!isOn) return known.delete(id);
  return false;
}

function isForgotten(told: ToldNotice, awakeMs: number, againMs: number): boolean {
  if (isTier(told.id) && told.isOn) return false;
  const since = told.isOn ? told.seenMs + FORGET_AFTER_MS : told.awakeMs + againMs;
  return awakeMs >= since;
}
