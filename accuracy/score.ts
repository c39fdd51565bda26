import type { Activity, Lifecycle, WaitingFor } from '../src/core/verdict/verdict.ts';
import type { Truth } from './truth.ts';

/** A verdict, reduced to what is scored; null when the session is not on the roll. */
export interface Said {
  readonly activity: Activity;
  readonly waitingFor: WaitingFor | null;
  readonly lifecycle: Lifecycle;
}

export type Score = 'right' | 'unknown' | 'wrong';

const ENDED: ReadonlySet<Activity> = new Set(['exited', 'none']);
const AT_REST: ReadonlySet<Activity> = new Set(['idle', 'exited', 'none']);

/** Holds a verdict against the truth. `unknown` and `starting` claim nothing, so they are never wrong. */
export function scoreOf(truth: Truth, said: Said | null): Score {
  if (said === null) return truth.activity === 'gone' ? 'right' : 'wrong';
  if (truth.activity === 'gone' && ENDED.has(said.activity)) return 'right';
  if (truth.also?.includes(said.activity)) return 'right';
  if (said.activity === 'unknown' || said.activity === 'starting') return 'unknown';
  if (said.activity !== truth.activity) return 'wrong';
  return truth.waitingFor === undefined || said.waitingFor === truth.waitingFor ? 'right' : 'wrong';
}

/** The one mistake that costs work: something busy is called at rest, or what must not be closed is called closable. */
export function isDangerous(truth: Truth, said: Said | null): boolean {
  if (said === null || truth.activity === null) return false;
  const isBusy = truth.activity === 'working' || truth.activity === 'waiting';
  return (isBusy && AT_REST.has(said.activity)) || (!truth.mayClose && said.lifecycle === 'safe-to-close');
}

/** The value below which a share of all values lies; null without values. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
