import * as v from 'valibot';
import { TIERS } from '../pressure/tier.ts';
import { REAP_EVENTS, REAP_MODES, RELIEFS, type ReapEvent } from '../reaper/standing.ts';
import { ACTIVITIES, LIFECYCLES, WAITING_FOR } from '../verdict/verdict.ts';
import { flag, kept, number, text } from './fields.ts';
import { keptSchema } from './kept-piece.ts';

const now = v.pipe(
  v.strictTuple([number, number, number]),
  v.transform(([at, awakeMs, suspendedMs]) => ({ at, awakeMs, suspendedMs })),
);
const session = { key: text, name: text };
const amount = v.nullable(number);

const reapEvent = v.object({
  kind: v.picklist(REAP_EVENTS),
  at: number,
  mode: v.picklist(REAP_MODES),
  tier: v.picklist(TIERS),
  session: v.nullable(v.object(session)),
  relief: v.nullable(v.picklist(RELIEFS)),
  code: text,
  text,
  memoryBytes: amount,
  receipt: v.nullable(text),
});

/** The verdict of that time. */
const verdict = v.object({
  activity: v.picklist(ACTIVITIES),
  waitingFor: v.nullable(v.picklist(WAITING_FOR)),
  lifecycle: v.picklist(LIFECYCLES),
  since: number,
});

/** One record, as it stands in a line of the history. */
export const recordSchema = v.variant('kind', [
  /** The daemon began to look, stopped, or looked and found nothing to tell. Between two of these it was looking. */
  v.object({ kind: v.picklist(['start', 'stop', 'beat']), now }),
  /** What the reaper was allowed to do from then on. */
  v.object({ kind: v.literal('mode'), now, mode: v.picklist(REAP_MODES), wanted: v.picklist(REAP_MODES) }),
  /** What the reaper did. */
  v.object({ kind: v.literal('reap'), now, event: reapEvent }),
  /** A session that is no longer there. */
  v.object({
    kind: v.literal('gone'),
    now,
    ...session,
    /** `closed`: by rollcall; `lost`: it was expected to be there; `ended`: by others, or by itself. */
    how: v.picklist(['closed', 'lost', 'ended']),
  }),
  /** How short of memory the machine was. */
  v.object({
    kind: v.literal('pressure'),
    now,
    tier: v.picklist(TIERS),
    code: text,
    text,
    /** Of the host; null where it was not read. */
    availableBytes: amount,
    totalBytes: amount,
    stallSomePercent: amount,
    stallFullPercent: amount,
  }),
  /** A session as one round saw it. */
  v.object({
    kind: v.literal('seen'),
    now,
    ...session,
    /** Label of its server. */
    server: text,
    memoryBytes: amount,
    verdict,
    /** Counts the records of one session, from 0: a change builds on the one before it. */
    number,
    /** Everything there is, and not only what changed since the record before. */
    isWhole: flag,
    /** Subjects on which nothing is said any more. */
    dropped: v.array(text),
    /**
     * By subject; null where two pieces on one subject spoke against each other, so that nothing can be built on them. Evidence
     * of a kind that this version does not know may be what prevents closing: then none of it is used either.
     */
    pieces: v.fallback(v.nullable(v.record(v.string(), keptSchema)), null),
  }),
]);

export type HistoryRecord = Readonly<v.InferOutput<typeof recordSchema>>;
export type SeenRecord = Extract<HistoryRecord, { kind: 'seen' }>;
export type GoneRecord = Extract<HistoryRecord, { kind: 'gone' }>;
export type PressureRecord = Extract<HistoryRecord, { kind: 'pressure' }>;

/** One event of the reaper, from whatever may be one; null where it is none. */
export function readReapEvent(value: unknown): ReapEvent | null {
  return kept(reapEvent, value);
}

/** Without anything to tell, the daemon writes that it still looks. */
export const BEAT_MS = 60_000;

/** Records further apart than this, in awake time, have time between them in which nobody looked. */
export const GAP_MS = 5 * BEAT_MS;

/** A session that does not change is told of whole at least this often, so that a lost line costs no more than that. */
export const WHOLE_MS = 30 * 60_000;

/** One record as one line, without its end. */
export function historyLine(record: HistoryRecord): string {
  const { at, awakeMs, suspendedMs } = record.now;
  return JSON.stringify({ ...record, now: [at, awakeMs, suspendedMs] });
}

/** What a line holds: a record, one of a kind that only a newer version knows, or nothing that can be read. */
export type LineRead =
  | { readonly state: 'read'; readonly record: HistoryRecord }
  | { readonly state: 'unknown' | 'damaged' };

/** Reads one line. A line that was cut, by a kill or a full disk, is damaged and no more than that. */
export function readHistoryLine(line: string): LineRead {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { state: 'damaged' };
  }
  const record = kept(recordSchema, value);
  if (record !== null) return { state: 'read', record };
  const { kind } = (value ?? {}) as { kind?: unknown };
  const isKnown = recordSchema.options.some(({ entries }) => v.is(entries.kind, kind));
  return { state: typeof kind === 'string' && !isKnown ? 'unknown' : 'damaged' };
}
