import * as v from 'valibot';

// Fields of what was written earlier, perhaps by another version. One that is missing or odd tells nothing, and the others are
// read all the same.

/** What a schema reads, for whoever does not change it. */
export type Recorded<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Recorded<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Recorded<T[K]> }
      : T;

export const text = v.fallback(v.nullable(v.string()), null);

/** JSON may write numbers that are none to count with (`1e999`). */
export const finite = v.pipe(v.number(), v.finite());

export const number = v.fallback(v.nullable(finite), null);

/** True only where it says so. */
export const flag = v.fallback(v.boolean(), false);

/** A list of words; null where it holds anything else, or nothing. */
export const words = v.fallback(v.nullable(v.pipe(v.array(v.string()), v.minLength(1))), null);

/** What of a list is text. */
export const texts = list(v.string());

/** What of an object is text, by its name. */
export const textFields = v.fallback(v.pipe(v.custom<object>(isObject), v.transform(textsByName)), {});

/** What of a list can be read. */
export function list<const S extends v.GenericSchema>(item: S) {
  const readable = (all: unknown[]): v.InferOutput<S>[] =>
    all.flatMap((one) => {
      const read = v.safeParse(item, one, { abortEarly: true });
      return read.success ? [read.output] : [];
    });
  return v.fallback(v.pipe(v.array(v.unknown()), v.transform(readable)), []);
}

/** An object with these fields; null where there is none. */
export function part<const E extends v.ObjectEntries>(entries: E) {
  return v.fallback(v.nullable(whole(entries)), null);
}

/** An object with these fields, and whatever else is in it, so that it can be written again. */
export function loose<const E extends v.ObjectEntries>(entries: E) {
  return v.pipe(v.custom<object>(isObject), v.looseObject(entries));
}

/** An object that has all of these fields. */
export function whole<const E extends v.ObjectEntries>(entries: E) {
  return v.pipe(v.custom<object>(isObject), v.object(entries));
}

/** An object that has such values under whatever names. */
export function byName<const S extends v.GenericSchema>(value: S) {
  return v.pipe(v.custom<object>(isObject), v.record(v.string(), value));
}

/**
 * An object as another version may have written it: what may be null is null where it is odd, and what is not said to be is not
 * so. Without one of the others it cannot be read.
 */
export function tolerant<const E extends v.ObjectEntries>({ entries }: v.ObjectSchema<E, undefined>) {
  const fields = Object.entries(entries).map(([name, field]) => [
    name,
    field.type === 'nullable'
      ? v.fallback(field, null)
      : field.type === 'boolean'
        ? v.fallback(field, false)
        : field,
  ]);
  return whole(Object.fromEntries(fields) as E);
}

// A list is no object here; to the library it is one.
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textsByName(value: object): Record<string, string> {
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
