import type { Rate } from '../limits.ts';

/** Lets so many through at once, and so many a second after that. */
export interface TokenBucket {
  /** Takes one; false where there is none. */
  take(): boolean;
}

export function tokenBucket({ perSecond, burst }: Rate, elapsedMs: () => number): TokenBucket {
  let level = burst;
  let seenMs = elapsedMs();
  return {
    take() {
      const now = elapsedMs();
      level = Math.min(burst, level + ((now - seenMs) / 1000) * perSecond);
      seenMs = now;
      if (level < 1) return false;
      level -= 1;
      return true;
    },
  };
}

/** Does so many at once and no more; the others are turned away instead of waiting. */
export function turnstile(most: number): <T>(work: () => Promise<T>, turnedAway: () => Error) => Promise<T> {
  let inside = 0;
  return async (work, turnedAway) => {
    if (inside >= most) throw turnedAway();
    inside += 1;
    try {
      return await work();
    } finally {
      inside -= 1;
    }
  };
}
