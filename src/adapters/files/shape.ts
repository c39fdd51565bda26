import { isObject } from './json-object.ts';

/** Tells whether a value out of a file is what it should be. */
export type Test = (value: unknown) => boolean;

/** An object with these members. What else is in it is not looked at. */
export function shape<T>(tests: { readonly [Key in keyof T]-?: Test }): (value: unknown) => value is T {
  const all = Object.entries(tests) as [string, Test][];
  return (value): value is T => isObject(value) && all.every(([key, test]) => test(value[key]));
}

export const isText: Test = (value) => typeof value === 'string';
export const isFlag: Test = (value) => typeof value === 'boolean';
export const isNumber: Test = (value) => Number.isFinite(value);
export const isTime: Test = (value) => isNumber(value) && (value as number) >= 0;
export const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

export function textLike(form: RegExp): Test {
  return (value) => typeof value === 'string' && form.test(value);
}

export function oneOf(values: readonly unknown[]): Test {
  return (value) => values.includes(value);
}

export function listOf(test: Test): Test {
  return (value) => Array.isArray(value) && value.every((one) => test(one));
}

export function nullOr(test: Test): Test {
  return (value) => value === null || test(value);
}

export function missingOr(test: Test): Test {
  return (value) => value === undefined || test(value);
}
