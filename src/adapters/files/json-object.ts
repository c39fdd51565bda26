import { tryOr } from '../../core/try-or.ts';

export type JsonFields = Readonly<Record<string, unknown>>;

/** The object that a text of JSON holds; null for everything else. */
export function objectIn(text: string): JsonFields | null {
  return tryOr(null, () => asObject(JSON.parse(text)));
}

export function asObject(value: unknown): JsonFields | null {
  return isObject(value) ? value : null;
}

export function isObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
