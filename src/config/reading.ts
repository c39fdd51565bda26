import * as v from 'valibot';

/** Why a value is none, said behind its name. */
export class Refusal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A schema that reads what a file may have written in several ways. */
export function reading<T>(how: (written: unknown) => T | Refusal) {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const value = how(dataset.value);
      if (!(value instanceof Refusal)) return value;
      addIssue({ message: value.text });
      return NEVER;
    }),
  );
}
