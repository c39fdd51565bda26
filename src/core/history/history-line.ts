import * as v from 'valibot';
import { kept } from './fields.ts';
import { type HistoryRecord, recordSchema } from './record.ts';

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
