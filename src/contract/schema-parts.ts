import * as v from 'valibot';
import { described } from '../schema/described.ts';

/** A time. */
export const at = described(v.number(), 'epoch milliseconds');

/** A session, where that is all to say of it. */
export const named = v.object({ key: v.string(), name: v.string() });

/** A document: the version that all of them have, and its own fields. */
export function documentOf<const E extends v.ObjectEntries>(entries: E) {
  return v.object({ schemaVersion: v.literal(1), ...entries });
}

/** The same schema for each of these names. */
export function eachOf<const N extends string, S>(names: readonly N[], schema: S) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>;
}

export const host = v.object({
  id: described(v.string(), 'machine id'),
  bootId: v.string(),
  name: v.string(),
});

export const memoryBytes = described(
  v.nullable(v.number()),
  'what closing it gives back; null where it is not known',
);
