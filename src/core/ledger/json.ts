/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** Deeper than anything that is recorded, and far from the end of the stack. */
const MAX_DEPTH = 32;

/**
 * Writes a value in the one form it has (RFC 8785): keys sorted, no blanks, numbers as ECMAScript writes them, so that
 * equal values have equal hashes. Properties that are undefined are left out, as JSON does. Throws a TypeError that
 * names the place where a value is not JSON.
 */
export function canonicalJson(value: unknown): string {
  return written(value, '$', 0);
}

function written(value: unknown, path: string, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError(`${path} is nested deeper than ${MAX_DEPTH}`);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => written(item, `${path}[${index}]`, depth + 1));
    return `[${items.join(',')}]`;
  }
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${written(value[key], `${path}.${key}`, depth + 1)}`);
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`${path} is not JSON`);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A value as JSON has it: nothing undefined, no class, so that it may be recorded. */
export function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

export function objectIn(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function textIn(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberIn(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A list of words, or null where it holds anything else or nothing. */
export function wordsIn(value: Json | undefined): readonly string[] | null {
  const words = textsIn(value);
  return words.length > 0 && words.length === listIn(value).length ? words : null;
}

/** What of an object is text, by its name. */
export function textFieldsIn(value: Json | undefined): Record<string, string> {
  const entries = Object.entries(objectIn(value) ?? {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The object that a text is; null where it is none. */
export function parsedObject(text: string): JsonObject | null {
  try {
    return objectIn(JSON.parse(text) as Json);
  } catch {
    return null;
  }
}

/** What of a list is text. */
export function textsIn(value: Json | undefined): readonly string[] {
  return listIn(value).filter((one) => typeof one === 'string');
}
