import type { Moment } from '../moment.ts';
import { explainTier, type PressureReason } from './explain-tier.ts';
import { type JudgedSignal, judgeSignal, lostTracks, type Past } from './judge-signal.ts';
import { type PressureMemory, usableMemory } from './memory.ts';
import { type NextTier, nextTier } from './next-tier.ts';
import type { PressurePolicy } from './policy.ts';
import { inOrder, type Reading } from './reading.ts';
import { calledFor, step } from './standing.ts';
import { type Tier, worstOf } from './tier.ts';

/** How short of memory the machine is, why, and by what signals. */
export interface Pressure {
  readonly tier: Tier;
  /** Epoch ms; of a first look, that look. */
  readonly since: number;
  /** No earlier look could be built on: only what carries its own duration was judged. */
  readonly isFirstLook: boolean;
  readonly reason: PressureReason;
  /** What it will be if everything stays as it is. */
  readonly next: NextTier | null;
  readonly signals: readonly JudgedSignal[];
}

/** A judgement, and what the next one builds on. */
export interface JudgedPressure {
  readonly pressure: Pressure;
  readonly memory: PressureMemory;
}

/**
 * Judges readings of one moment. A tier rises once a signal has held for its time; it falls one step once nothing keeps
 * it up any more, later and at a distance from the threshold. All times are awake time, so neither suspend nor a stepped
 * clock counts. The order of the readings means nothing.
 */
export function judgePressure(
  readings: readonly Reading[],
  stored: PressureMemory | null,
  policy: PressurePolicy,
  { now, bootId }: { readonly now: Moment; readonly bootId: string },
): JudgedPressure {
  const { awakeMs, at } = now;
  const memory = usableMemory(stored, bootId, now, policy.rememberMs);
  const hasSystemWord = readings.some(({ signal, state }) => signal === 'os-level' && state === 'read');
  const past: Past = { memory, awakeMs, policy, hasSystemWord };
  const signals = inOrder(readings).map((reading) => judgeSignal(reading, past));
  const lost = lostTracks(new Set(signals.map(({ key }) => key)), past);
  const kept = worstOf([...signals.map(({ keeps }) => keeps), ...lost.map(([, track]) => track.keeps)]);
  const standing = step(calledFor(signals, policy), kept, past);
  const sinceAt = memory?.tier === standing.tier ? memory.sinceAt : at;
  const tracks = signals.flatMap(({ key, track }) => (track === null ? [] : [[key, track] as const]));
  return {
    pressure: {
      tier: standing.tier,
      since: sinceAt,
      isFirstLook: memory === null,
      reason: explainTier(signals, lost, standing, past),
      next: nextTier(signals, standing, past),
      signals,
    },
    memory: {
      format: 1,
      bootId,
      awakeMs,
      ...standing,
      sinceAt,
      tracks: Object.fromEntries([...lost, ...tracks]),
    },
  };
}
