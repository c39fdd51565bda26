import type { Moment } from '../../core/text/moment.ts';
import { textAt } from '../files/look.ts';
import type { RunCommand } from './read-text.ts';

/** Reads the clocks of the machine. */
export type HostClock = () => Moment;

/**
 * Linux: CLOCK_MONOTONIC stands still during suspend, /proc/uptime (CLOCK_BOOTTIME) does not, so their difference is
 * the time slept through. Time slept through never shrinks, so the largest difference seen is the truest.
 */
export function createLinuxClock(options: {
  readonly procRoot: string;
  readonly now: () => number;
  readonly awakeNow: () => number;
}): HostClock {
  let largestMs = 0;
  return () => {
    // Uptime first: a delay between the two readings can then only make the difference smaller.
    const uptimeMs = Number.parseFloat(textAt(`${options.procRoot}/uptime`) ?? '') * 1000;
    const awakeMs = options.awakeNow();
    const sleptMs = uptimeMs - awakeMs;
    // Not a number, where the uptime cannot be read, is never large enough.
    if (sleptMs >= JITTER_MS) largestMs = Math.max(largestMs, Math.round(sleptMs));
    return { at: options.now(), awakeMs, suspendedMs: largestMs };
  };
}

/**
 * macOS: Node's clock is mach_continuous_time and runs during sleep (libuv 1.38.1 on), so the time slept through, as the
 * kernel recorded it at the last wakeup, is taken off. Apple silicon only; untested on a real Mac.
 */
export function createMacosClock(options: {
  readonly run: RunCommand;
  readonly now: () => number;
  readonly continuousNow: () => number;
}): HostClock {
  let suspendedMs = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const continuousMs = options.continuousNow();
    // A sleep shows as a gap on this very clock, so what was read less than a second ago still holds.
    if (continuousMs - readAtMs > WAKE_MAX_AGE_MS) {
      const printed = options.run('/usr/sbin/sysctl', [...WAKE_NAMES]);
      suspendedMs = Math.max(suspendedMs, parseSleptMs(printed ?? ''));
      readAtMs = continuousMs;
    }
    return { at: options.now(), awakeMs: continuousMs - suspendedMs, suspendedMs };
  };
}

/** Milliseconds since boot on CLOCK_MONOTONIC (Linux) or mach_continuous_time (macOS). */
export function monotonicNow(): number {
  return Math.round(Number(process.hrtime.bigint()) / 1e6);
}

// /proc/uptime counts in hundredths of a second, so 10 ms are noise; no machine suspends and resumes within 50.
const JITTER_MS = 50;
const WAKE_MAX_AGE_MS = 1_000;
const WAKE_NAMES = ['machdep.wake_abstime', 'machdep.wake_conttime', 'hw.tbfrequency'] as const;

function parseSleptMs(text: string): number {
  const [absolute, continuous, perSecond] = WAKE_NAMES.map((name) => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${name}: `));
    return line === undefined ? Number.NaN : Number(line.slice(name.length + 2));
  }) as [number, number, number];
  const sleptMs = ((continuous - absolute) * 1000) / perSecond;
  return Number.isFinite(sleptMs) && sleptMs >= JITTER_MS ? Math.round(sleptMs) : 0;
}
