import { TIERS } from '../pressure/tier.ts';
import { REAP_MODES } from '../reaper/mode.ts';
import { REAP_EVENTS, RELIEFS, type ReapEvent } from '../reaper/standing.ts';
import type { Moment } from '../text/moment.ts';
import { ACTIVITIES, LIFECYCLES, WAITING_FOR } from '../verdict/verdict.ts';
import { type KeptPiece, keptPiece } from './kept-piece.ts';
import type { HistoryRecord, SeenRecord } from './record.ts';
import { keep, type Shape } from './shape.ts';

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
  const { kind } = (value ?? {}) as { kind?: unknown };
  const shape = SHAPES.get(kind);
  if (!shape) return { state: typeof kind === 'string' ? 'unknown' : 'damaged' };
  const kept = keep(value, shape) as (Omit<HistoryRecord, 'now'> & { now: number[] }) | undefined;
  if (kept?.now.length !== 3) return { state: 'damaged' };
  const [at, awakeMs, suspendedMs] = kept.now as [number, number, number];
  const now: Moment = { at, awakeMs, suspendedMs };
  const record = { ...kept, now } as HistoryRecord;
  return { state: 'read', record: record.kind === 'seen' ? withPieces(record, value) : record };
}

/** One event of the reaper, from whatever may be one; null where it is none. */
export function readReapEvent(value: unknown): ReapEvent | null {
  return (keep(value, EVENT) as ReapEvent | undefined) ?? null;
}

const OR_NULL = (shape: Shape): Shape => ({ either: ['null', shape] });
const SESSION = { key: 'text', name: 'text' } as const;

const EVENT: Shape = {
  fields: {
    ...{ kind: { word: REAP_EVENTS }, at: 'number', mode: { word: REAP_MODES }, tier: { word: TIERS } },
    ...{ session: OR_NULL({ fields: SESSION }), relief: OR_NULL({ word: RELIEFS }), code: 'text' },
    ...{ text: 'text', memoryBytes: OR_NULL('number'), receipt: OR_NULL('text') },
  },
};

const VERDICT: Shape = {
  fields: {
    ...{ activity: { word: ACTIVITIES }, waitingFor: OR_NULL({ word: WAITING_FOR }) },
    ...{ lifecycle: { word: LIFECYCLES }, since: 'number' },
  },
};

const FIELDS: Readonly<Record<HistoryRecord['kind'], Readonly<Record<string, Shape>>>> = {
  start: {},
  stop: {},
  beat: {},
  mode: { mode: { word: REAP_MODES }, wanted: { word: REAP_MODES } },
  reap: { event: EVENT },
  gone: { ...SESSION, how: { word: ['closed', 'lost', 'ended'] } },
  pressure: {
    ...{ tier: { word: TIERS }, code: 'text', text: 'text' },
    ...{ availableBytes: OR_NULL('number'), totalBytes: OR_NULL('number') },
    ...{ stallSomePercent: OR_NULL('number'), stallFullPercent: OR_NULL('number') },
  },
  seen: {
    ...{ ...SESSION, server: 'text', memoryBytes: OR_NULL('number'), verdict: VERDICT },
    ...{ number: 'number', isWhole: 'flag', dropped: { list: 'text' } },
  },
};

const SHAPES = new Map<unknown, Shape>(
  Object.entries(FIELDS).map(([kind, fields]) => [
    kind,
    { fields: { kind: { word: [kind] }, now: { list: 'number' }, ...fields } },
  ]),
);

// Evidence of a kind that this version does not know may be what stands against closing: then none of it is used.
function withPieces(record: SeenRecord, value: unknown): SeenRecord {
  const { pieces } = value as { pieces?: unknown };
  if (typeof pieces !== 'object' || pieces === null) return { ...record, pieces: null };
  const known: Record<string, KeptPiece> = {};
  for (const [subject, piece] of Object.entries(pieces)) {
    const kept = keptPiece(piece);
    if (kept === null) return { ...record, pieces: null };
    known[subject] = kept;
  }
  return { ...record, pieces: known };
}
