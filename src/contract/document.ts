import { visibleDeep } from '../core/text/visible.ts';

/** Version of every JSON document: fields may be added under it, never renamed, removed or given another meaning. */
export const SCHEMA_VERSION = 1;

/** As it is read again from JSON. */
type Copy<T> = T extends readonly (infer Item)[]
  ? Copy<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Copy<T[K]> }
    : T;

/**
 * The one gate to JSON: whatever a document holds, every string in it is made visible first, so no control or bidi
 * character from a name, title, screen or path reaches a pipe or a log. What needs no change is shared with `content`.
 */
export function toDocument<T extends object>(content: T): { schemaVersion: typeof SCHEMA_VERSION } & Copy<T> {
  return { schemaVersion: SCHEMA_VERSION, ...(visibleDeep(content) as Copy<T>) };
}
