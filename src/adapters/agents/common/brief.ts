import { createKeep } from '../../files/keep.ts';

/** Keeps an answer for a while. An answer from the future (the clock was set back) counts as too old. */
export function createBrief<T>(maxKept: number, maxAgeMs: number) {
  const kept = createKeep<{ readonly at: number; readonly value: T }>(maxKept);
  return (key: string, now: number, ask: () => T): T => {
    const known = kept.get(key);
    if (known && now >= known.at && now - known.at < maxAgeMs) return known.value;
    return kept.set(key, { at: now, value: ask() }).value;
  };
}
