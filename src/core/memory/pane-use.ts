import type { PaneUse, RememberedProcess } from './recollection.ts';

// An idle full-screen agent redraws at up to 2.4 % of a core (measured); work between two looks costs more.
const IDLE_CPU_SHARE = 0.05;
const IDLE_CPU_MS = 100;
// After a longer gap no more is forgiven: looks that are put off must not let work pass for rest.
const LONGEST_GAP_MS = 10_000;
const IDLE_IO_BYTES = 65_536;
// Nor do more looks forgive more: what may come at once is forgiven once in this time, however many look meanwhile.
const WINDOW_MS = 1500;

const NOTHING: PaneUse = { ms: 0, cpuMs: 0, ioBytes: 0 };

/**
 * What was used since that was judged last: `before`, and what these processes used since the last look; null where they are
 * not the same. Each is compared with itself: a counter that went down, or cannot be read any more, hides nothing of others.
 */
export function useSince(
  before: PaneUse = NOTHING,
  now: readonly RememberedProcess[],
  earlier: readonly RememberedProcess[],
  elapsedMs: number,
): PaneUse | null {
  if (now.length !== earlier.length) return null;
  const known = new Map(earlier.map((process) => [process.pid, process]));
  let { cpuMs, ioBytes } = before;
  for (const process of now) {
    const last = known.get(process.pid);
    if (last?.startTicks !== process.startTicks) return null;
    cpuMs += Math.max(0, process.cpuMs - last.cpuMs);
    ioBytes += Math.max(0, (process.ioBytes ?? 0) - (last.ioBytes ?? 0));
  }
  return { ms: before.ms + elapsedMs, cpuMs, ioBytes };
}

/** Counters also show work that began and ended between two looks and left the screen as it was. */
export function isWork({ ms, cpuMs, ioBytes }: PaneUse): boolean {
  const idleCpuMs = IDLE_CPU_MS + Math.min(ms, LONGEST_GAP_MS) * IDLE_CPU_SHARE;
  return cpuMs > idleCpuMs || ioBytes > IDLE_IO_BYTES;
}

/** Whether it was judged over long enough a time, so that the next judgement begins anew. */
export function isJudged({ ms }: PaneUse): boolean {
  return ms >= WINDOW_MS;
}
