import { visible } from './visible.ts';

/** The same with every text in it made visible, and without what is undefined. */
export function visibleDeep<T>(value: T): T {
  return deep(value) as T;
}

function deep(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(deep);
  if (typeof value !== 'object' || value === null) return value;
  const made: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    if (part !== undefined) made[visible(key)] = deep(part);
  }
  return made;
}
