import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Round } from '../../core/supervision/round.ts';

/** Less is not worth the time. */
const LEAST_BYTES = 12 * 2 ** 20;
/** Nothing is to be done for so long: then it costs next to nothing, and what stays is less. */
const LONG_PAUSE_MS = 60_000;
const LEAST_IN_PAUSE_BYTES = 4 * 2 ** 20;
/** It takes 70 ms of CPU time beside 25 MiB that are kept: in a storm of hooks no more than a hundredth of a core. */
const LEAST_MS = 10_000;

/**
 * Gives memory back after rounds, once half as much garbage has come together as is kept, or a few MiB before a long pause. Left to itself
 * V8 lets it grow to several times of that before it goes through what is old, because most programs would rather be fast.
 */
export function createGiveBack({
  collect = collector(),
  usedBytes = () => getHeapStatistics().used_heap_size,
  elapsedMs = () => performance.now(),
}: {
  readonly collect?: () => void;
  readonly usedBytes?: () => number;
  readonly elapsedMs?: () => number;
} = {}): (round: Pick<Round, 'nextInMs'>) => void {
  let [keptBytes, atMs] = [usedBytes(), elapsedMs()];
  return ({ nextInMs }) => {
    const used = usedBytes();
    // V8 collects by itself as well, and what was needed in the beginning need not be kept for good.
    keptBytes = Math.min(keptBytes, used);
    const leastBytes = nextInMs < LONG_PAUSE_MS ? Math.max(LEAST_BYTES, keptBytes / 2) : LEAST_IN_PAUSE_BYTES;
    if (used - keptBytes < leastBytes) return;
    if (elapsedMs() - atMs < LEAST_MS) return;
    collect();
    [keptBytes, atMs] = [usedBytes(), elapsedMs()];
  };
}

// The only way to it without a flag on the command line. Afterwards the flags are as before: V8 compares them with those that
// its compiled code was made under.
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
