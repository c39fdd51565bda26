import { visibleDeep } from '../core/text/visible.ts';

/** Version of every JSON document: fields may be added under it, never renamed, removed or given another meaning. */
export const SCHEMA_VERSION = 1;

/** A copy that whoever gets it may change. */
type Copy<T> = T extends readonly (infer Item)[]
  ? Copy<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Copy<T[K]> }
    : T;

/**
 * The one gate to JSON: whatever a document holds, every string in it is made visible first, so no control or bidi
 * character from a name, title, screen or path reaches a pipe or a log. All of it is copied on the way.
 */
export function toDocument<T extends object>(content: T): { schemaVersion: typeof SCHEMA_VERSION } & Copy<T> {
  return { schemaVersion: SCHEMA_VERSION, ...(visibleDeep(content) as Copy<T>) };
}
