import type { Pressure } from '../pressure/judge-pressure.ts';
import type { Signal } from '../pressure/reading.ts';
import type { Tier } from '../pressure/tier.ts';
import type { Moment } from '../text/moment.ts';
import { visible } from '../text/visible.ts';
import type { PressureRecord } from './record.ts';

/** What the pressure was when it was last told of. */
export interface Gauge {
  readonly tier: Tier;
  readonly code: string;
  readonly availableShare: number;
  readonly stallPercent: number;
  readonly awakeMs: number;
}

/** Values wander all the time: they are told of this often at most, and only after a real move. */
const VALUES_MS = 30_000;
const SHARE_MOVE = 0.05;
const STALL_MOVE = 5;
const TEXT_LENGTH = 300;

export function gaugeOf(pressure: Pressure, awakeMs: number): Gauge {
  const available = hostReading(pressure, 'available');
  return {
    tier: pressure.tier,
    code: pressure.reason.code,
    availableShare: available?.totalBytes ? available.value / available.totalBytes : 1,
    stallPercent: hostReading(pressure, 'stall-some')?.value ?? 0,
    awakeMs,
  };
}

/** Whether there is something new to tell of the pressure. */
export function hasMoved(before: Gauge, now: Gauge): boolean {
  if (before.tier !== now.tier || before.code !== now.code) return true;
  const isFar =
    Math.abs(before.availableShare - now.availableShare) >= SHARE_MOVE ||
    Math.abs(before.stallPercent - now.stallPercent) >= STALL_MOVE;
  return isFar && now.awakeMs - before.awakeMs >= VALUES_MS;
}

export function pressureRecord(pressure: Pressure, now: Moment): PressureRecord {
  const available = hostReading(pressure, 'available');
  return {
    kind: 'pressure',
    now,
    tier: pressure.tier,
    code: pressure.reason.code,
    text: visible(pressure.reason.text, TEXT_LENGTH),
    availableBytes: available?.value ?? null,
    totalBytes: available?.totalBytes ?? null,
    stallSomePercent: hostReading(pressure, 'stall-some')?.value ?? null,
    stallFullPercent: hostReading(pressure, 'stall-full')?.value ?? null,
  };
}

function hostReading({ signals }: Pressure, signal: Signal) {
  const found = signals.find(({ reading }) => reading.signal === signal && reading.scope === 'host');
  return found?.reading.state === 'read' ? found.reading : null;
}
