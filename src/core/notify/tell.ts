import type { Condition } from './conditions.ts';
import { MOST_TOLD, type Told } from './memory.ts';

/** What was not seen for this long, awake time, is gone for good: its session was closed, its server is no more. */
const FORGET_AFTER_MS = 60 * 60_000;

/** What is new, and what is remembered from now on. */
export interface Telling {
  readonly news: readonly Condition[];
  readonly told: readonly Told[];
  /** Something is remembered that was not, or not any more. */
  readonly isChanged: boolean;
}

/**
 * Each thing is told once, until it was seen to end and came back; then again, though not within `againMs` of the last
 * time: if it still is so then, it is told then. `hasEnded`: of a thing that is not so now, whether that is certain.
 */
export function tellOnce(
  before: readonly Told[],
  conditions: readonly Condition[],
  { awakeMs, againMs, hasEnded }: { awakeMs: number; againMs: number; hasEnded: (key: string) => boolean },
): Telling {
  const known = new Map(before.map((one) => [one.id, one]));
  const isQuiet = (told: Told | undefined) => told !== undefined && awakeMs - told.awakeMs < againMs;
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

function isNews({ event, key }: Condition, known: ReadonlyMap<string, Told>): boolean {
  if (event !== 'pressure' || key !== 'normal') return true;
  return [...known.values()].some(({ id, isOn }) => isOn && isTier(id));
}

function endOthers(known: Map<string, Told>, id: string): void {
  for (const told of known.values()) {
    if (isTier(told.id) && told.id !== id) known.set(told.id, { ...told, isOn: false });
  }
}

// What lasts is never forgotten for something new: it would be new again at the next round.
function hasRoom(known: Map<string, Told>): boolean {
  if (known.size < MOST_TOLD) return true;
  for (const { id, isOn } of known.values()) if (!isOn) return known.delete(id);
  return false;
}

function isForgotten(told: Told, awakeMs: number, againMs: number): boolean {
  if (isTier(told.id) && told.isOn) return false;
  const since = told.isOn ? told.seenMs + FORGET_AFTER_MS : told.awakeMs + againMs;
  return awakeMs >= since;
}
