import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Round } from '../../core/supervision/round.ts';

/** Less is not worth the time. */
const LEAST_BYTES = 8 * 2 ** 20;
/** And of what was kept as much as one in so many. */
const PART = 3;
/** Nothing is to be done for so long: then it costs next to nothing, and what stays is less. */
const LONG_PAUSE_MS = 60_000;
const LEAST_IN_PAUSE_BYTES = 4 * 2 ** 20;
/** It takes 45 ms of CPU time beside 16 MiB that are needed: in a storm of hooks no more than a hundredth of a core. */
const LEAST_MS = 10_000;

/**
 * Gives memory back after rounds, once V8 has taken a third more than it kept, or a few MiB before a long pause. Left to itself it takes
 * several times of that before it goes through what is old, and keeps pages of which a part is used, because most programs would
 * rather be fast.
 */
export function createGiveBack({
  collect = collector(),
  takenBytes = () => getHeapStatistics().total_heap_size,
  elapsedMs = () => performance.now(),
}: {
  readonly collect?: () => void;
  readonly takenBytes?: () => number;
  readonly elapsedMs?: () => number;
} = {}): (round: Pick<Round, 'nextInMs'>) => void {
  let [keptBytes, atMs] = [takenBytes(), elapsedMs()];
  return ({ nextInMs }) => {
    const taken = takenBytes();
    // V8 gives back by itself as well, and what was needed in the beginning need not be kept for good.
    keptBytes = Math.min(keptBytes, taken);
    const leastBytes =
      nextInMs < LONG_PAUSE_MS ? Math.max(LEAST_BYTES, keptBytes / PART) : LEAST_IN_PAUSE_BYTES;
    if (taken - keptBytes < leastBytes) return;
    if (elapsedMs() - atMs < LEAST_MS) return;
    collect();
    [keptBytes, atMs] = [takenBytes(), elapsedMs()];
  };
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
