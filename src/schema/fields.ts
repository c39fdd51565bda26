import * as v from 'valibot';

// The message of each is what its value has to be: whoever refuses a value says it in these words.

/** A text that is not empty, of at most so many characters. */
export function text(max: number) {
  return textAs(`a text of 1 to ${max} characters`, max);
}

/** A whole number within bounds. */
export function whole(min: number, max: number) {
  const wanted = `a whole number from ${min} to ${max}`;
  return v.pipe(v.number(wanted), v.safeInteger(wanted), v.minValue(min, wanted), v.maxValue(max, wanted));
}

export function flag() {
  return v.boolean('true or false');
}

export function oneOf<const V extends readonly string[]>(values: V) {
  return v.picklist(values, `one of ${values.join(', ')}`);
}

/** At most so many texts, each of at most so many characters. */
export function texts(most: number, max: number) {
  const wanted = `a list of at most ${most} texts of 1 to ${max} characters`;
  return v.pipe(v.array(textAs(wanted, max), wanted), v.maxLength(most, wanted));
}

/** Some of these words. */
export function someOf<const V extends readonly string[]>(values: V) {
  const wanted = `a list of ${values.join(', ')}`;
  return v.pipe(v.array(v.picklist(values, wanted), wanted), v.maxLength(values.length, wanted));
}

function textAs(wanted: string, max: number) {
  return v.pipe(v.string(wanted), v.minLength(1, wanted), v.maxLength(max, wanted));
}
