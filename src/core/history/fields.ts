import * as v from 'valibot';
import { visible } from '../text/visible.ts';

/** Room for a long name, not for what somebody wrote. */
const LENGTH = 300;

export const text = v.pipe(
  v.string(),
  v.transform((given) => visible(given, LENGTH)),
);
export const number = v.pipe(v.number(), v.finite());
export const flag = v.boolean();
/** What is left out where it is not so. */
export const yes = v.exactOptional(v.literal(true));
export const maybe = {
  text: v.exactOptional(text),
  number: v.exactOptional(number),
  flag: v.exactOptional(flag),
};

/** The part of a value that its schema names; null where it is not of that kind. */
export function kept<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | null {
  const read = v.safeParse(schema, value, { abortEarly: true });
  return read.success ? read.output : null;
}
