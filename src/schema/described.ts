import * as v from 'valibot';

/** A schema with what its value means, for the documents that are made from it. */
export function described<const S extends v.GenericSchema, const T extends string>(schema: S, means: T) {
  return v.pipe(schema, v.description(means));
}
