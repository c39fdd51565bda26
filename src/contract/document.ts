import { visibleDeep } from '../core/text/visible.ts';

/** Version of every JSON document: fields may be added under it, never renamed, removed or given another meaning. */
export const SCHEMA_VERSION = 1;

/** What is copied may be written to, whatever it was copied from. */
type Copied<T> = T extends object ? { -readonly [K in keyof T]: Copied<T[K]> } : T;

/**
 * The one gate to JSON: whatever a document holds, every string in it is made visible first, so no control or bidi
 * character from a name, title, screen or path reaches a pipe or a log. The content is copied for that.
 */
export function toDocument<T extends object>(
  content: T,
): { schemaVersion: typeof SCHEMA_VERSION } & Copied<T> {
  return { schemaVersion: SCHEMA_VERSION, ...(visibleDeep(content) as Copied<T>) };
}
