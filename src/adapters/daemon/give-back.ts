import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Round } from '../../core/supervision/round.ts';

/** Less is not worth the time. */
const LEAST_BYTES = 8 * 2 ** 20;
/** Nothing is to be done for so long: then it costs next to nothing, and what stays is less. */
const LONG_PAUSE_MS = 60_000;
const LEAST_IN_PAUSE_BYTES = 4 * 2 ** 20;
/** It takes 45 ms of CPU time beside 16 MiB that are needed: in a storm of hooks no more than a hundredth of a core. */
const LEAST_MS = 10_000;

/** Beside what is used: for what is young, and for pages that are begun. */
const MOST_ROOM_BYTES = 12 * 2 ** 20;

/** What V8 holds: `used` is what nothing was collected of yet, `taken` the pages that this is on. */
interface Held {
  readonly used: number;
  readonly taken: number;
}

/**
 * Gives memory back after rounds, once half as much garbage has come together as is kept, or V8 has taken 8 MiB more for it, or a few MiB
 * before a long pause. Left to itself V8 lets it grow to several times of that before it goes through what is old, and keeps pages of
 * which a part is used, because most programs would rather be fast.
 */
export function createGiveBack({
  collect = collector(),
  held = heldNow,
  elapsedMs = () => performance.now(),
}: {
  readonly collect?: () => void;
  readonly held?: () => Held;
  readonly elapsedMs?: () => number;
} = {}): (round: Pick<Round, 'nextInMs'>) => void {
  let [kept, atMs] = [held(), elapsedMs()];
  return ({ nextInMs }) => {
    const { used, taken } = held();
    // V8 collects by itself as well, and what was needed in the beginning need not be kept for good.
    kept = { used: Math.min(kept.used, used), taken: Math.min(kept.taken, taken) };
    const isPause = nextInMs >= LONG_PAUSE_MS;
    const leastBytes = isPause ? LEAST_IN_PAUSE_BYTES : Math.max(LEAST_BYTES, kept.used / 2);
    if (used - kept.used < leastBytes && taken - kept.taken < LEAST_BYTES) return;
    if (elapsedMs() - atMs < LEAST_MS) return;
    collect();
    kept = held();
    // Which pages are emptied is chosen by what the collection before has found on them.
    if (kept.taken - kept.used > MOST_ROOM_BYTES) {
      collect();
      kept = held();
    }
    atMs = elapsedMs();
  };
}

function heldNow(): Held {
  const { used_heap_size: used, total_heap_size: taken } = getHeapStatistics();
  return { used, taken };
}

// The only way to it without a flag on the command line. Afterwards the flags are as before: V8 compares them with those that
// its compiled code was made under.
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return () => {
    // Else pages stay of which more than a third is used.
    setFlagsFromString('--optimize-for-size');
    collect();
    setFlagsFromString('--no-optimize-for-size');
  };
}
