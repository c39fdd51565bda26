import { MASK } from './mask-assigned.ts';

/** Shorter ones are in any text. */
const SHORTEST = 4;

/** Hides what somebody gave a program with `--env`, whatever it looks like: a program may print what it has. */
export function maskValues(text: string, values: readonly string[]): string {
  const parts = values.flatMap((value) => value.split('\n')).map((part) => part.trim());
  const hidden = parts.filter((part) => part.length >= SHORTEST);
  // A value may be the beginning of another.
  return hidden.sort((a, b) => b.length - a.length).reduce((rest, one) => rest.replaceAll(one, MASK), text);
}
