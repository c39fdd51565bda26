import type { Activity, Lifecycle } from './verdict.ts';
import { ACTIVITIES, LIFECYCLES } from './verdict.ts';

interface Ranked {
  readonly lifecycle: Lifecycle;
  readonly activity: Activity;
  readonly since: number;
  readonly name: string;
  readonly key: string;
}

/** Worst first: what is lost or stuck, then what waits for a person, then what may go, then what works. */
export function byWorstFirst(a: Ranked, b: Ranked): number {
  return urgency(a) - urgency(b) || a.since - b.since || compare(a.name, b.name) || compare(a.key, b.key);
}

// A session that waits for a person is 'active' to a supervisor and yet the first thing a person wants to see.
function urgency(entry: Ranked): number {
  const isWaiting = entry.lifecycle === 'active' && entry.activity === 'waiting';
  const lifecycle = isWaiting ? LIFECYCLES.indexOf('unknown') - 0.5 : LIFECYCLES.indexOf(entry.lifecycle);
  return lifecycle * ACTIVITIES.length + ACTIVITIES.indexOf(entry.activity);
}

// Code point order: a locale's collation would make the order depend on the machine.
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
