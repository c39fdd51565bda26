import { visible } from '../text/visible.ts';

/**
 * What a kept value looks like, as data: it picks what is kept when a value is written, and checks it when it is read.
 * A `?` behind a field's name allows it to be missing.
 */
export type Shape =
  | 'text'
  | 'number'
  | 'flag'
  | 'null'
  | { readonly word: readonly string[] }
  | { readonly either: readonly Shape[] }
  | { readonly list: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

/** Room for a long name, not for what somebody wrote. */
const LENGTH = 300;

/** The part of a value that its shape names; undefined where it is not of that shape. */
export function keep(value: unknown, shape: Shape): unknown {
  if (shape === 'text') return typeof value === 'string' ? visible(value, LENGTH) : undefined;
  if (shape === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  if (shape === 'flag') return typeof value === 'boolean' ? value : undefined;
  if (shape === 'null') return value === null ? null : undefined;
  if ('word' in shape) return shape.word.some((word) => word === value) ? value : undefined;
  if ('either' in shape) return firstOf(shape.either, value);
  return 'list' in shape ? keepList(value, shape.list) : keepFields(value, shape.fields);
}

function firstOf(shapes: readonly Shape[], value: unknown): unknown {
  for (const shape of shapes) {
    const kept = keep(value, shape);
    if (kept !== undefined) return kept;
  }
  return undefined;
}

function keepList(value: unknown, of: Shape): unknown {
  if (!Array.isArray(value)) return undefined;
  const kept = value.map((one) => keep(one, of));
  return kept.includes(undefined) ? undefined : kept;
}

function keepFields(value: unknown, fields: Readonly<Record<string, Shape>>): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const kept: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(fields)) {
    const isOptional = name.endsWith('?');
    const field = isOptional ? name.slice(0, -1) : name;
    const found = Object.hasOwn(value, field) ? (value as Record<string, unknown>)[field] : undefined;
    if (found === undefined && isOptional) continue;
    const part = keep(found, shape);
    if (part === undefined) return undefined;
    kept[field] = part;
  }
  return kept;
}
