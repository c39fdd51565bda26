import { visible } from '../core/text/visible.ts';

/** Version of every JSON document: fields may be added under it, never renamed, removed or given another meaning. */
export const SCHEMA_VERSION = 1;

/**
 * The one gate to JSON: whatever a document holds, every string in it is made visible first, so no control or bidi
 * character from a name, title, screen or path reaches a pipe or a log.
 */
export function toDocument<T extends object>(content: T): { schemaVersion: typeof SCHEMA_VERSION } & T {
  return { schemaVersion: SCHEMA_VERSION, ...(visibleDeep(content) as T) };
}

function visibleDeep(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(visibleDeep);
  if (typeof value !== 'object' || value === null) return value;
  const made: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (part !== undefined) made[visible(key)] = visibleDeep(part);
  }
  return made;
}
