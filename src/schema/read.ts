import * as v from 'valibot';

/** What was read, or why it is not what it should be. */
export type ReadFields<T> =
  | { readonly state: 'read'; readonly value: T }
  | { readonly state: 'refused'; readonly text: string; readonly hint: string | null };

/** An object whose fields are known, and all of them. */
export type FieldsSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** Reads an object with exactly the fields that are known; tells the first mistake in it. */
export function readFields<S extends FieldsSchema>(schema: S, value: unknown): ReadFields<v.InferOutput<S>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { state: 'refused', text: 'the body has to be an object', hint: null };
  }
  for (const [name, given] of Object.entries(value)) {
    const field = Object.hasOwn(schema.entries, name) ? schema.entries[name] : undefined;
    if (field === undefined) {
      const known = Object.keys(schema.entries).join(', ');
      const hint = known === '' ? 'it takes no fields' : `it takes ${known}`;
      return { state: 'refused', text: `there is no field ${name.slice(0, 60)} here`, hint };
    }
    const { issues } = v.safeParse(field, given, { abortEarly: true });
    if (issues !== undefined) {
      return { state: 'refused', text: `${name} has to be ${issues[0].message}`, hint: null };
    }
  }
  const missing = Object.keys(schema.entries).find(
    (name) => schema.entries[name]?.type !== 'optional' && !Object.hasOwn(value, name),
  );
  if (missing !== undefined) return { state: 'refused', text: `${missing} is missing`, hint: null };
  return { state: 'read', value: value as v.InferOutput<S> };
}

/** What each field of an object means. */
export function fieldsOf({ entries }: FieldsSchema): Record<string, { readonly means: string }> {
  const described = Object.entries(entries).map(([name, field]) => [name, { means: meaningOf(field) }]);
  return Object.fromEntries(described);
}

/** Reads an object from words behind a question mark: `true`, a number, or a list with commas, as its field wants it. */
export function readQuery<S extends FieldsSchema>(
  schema: S,
  query: URLSearchParams,
): ReadFields<v.InferOutput<S>> {
  const given = [...query].map(([name, word]) => {
    const field = Object.hasOwn(schema.entries, name) ? schema.entries[name] : undefined;
    return [name, field === undefined ? word : written(word, innerOf(field).type)];
  });
  return readFields(schema, Object.fromEntries(given));
}

// What is not written as its field wants it stays the word that it is, and is refused as such.
function written(word: string, type: string): unknown {
  if (type === 'boolean' && (word === 'true' || word === 'false')) return word === 'true';
  if (type === 'number' && /^\d{1,15}$/.test(word)) return Number(word);
  return type === 'array' ? word.split(',') : word;
}

function innerOf(field: v.GenericSchema): v.GenericSchema {
  return 'wrapped' in field ? (field.wrapped as v.GenericSchema) : field;
}

function meaningOf(field: v.GenericSchema): string {
  const inner = innerOf(field);
  const steps = 'pipe' in inner ? (inner.pipe as readonly { readonly type: string }[]) : [];
  return steps.flatMap((step) => ('description' in step ? [String(step.description)] : [])).at(-1) ?? '';
}
