import { nearest } from '../../config/nearest.ts';
import { Failure } from '../../operations/failure.ts';

/** The one of these names that a word is. Fails with the one that was probably meant, or with all of them. */
export function named<N extends string>(word: string, names: readonly N[], problem: string, all: string): N {
  const found = names.find((name) => name === word);
  if (found !== undefined) return found;
  throw notNamed(word, names, problem, all);
}

/** The failure of a word that is none of these names; `all` comes before the list of them. */
export function notNamed(word: string, names: readonly string[], problem: string, all: string): Failure {
  const [near] = nearest(word, names);
  const hint = near === undefined ? `${all} ${names.join(', ')}` : `did you mean ${near}?`;
  return new Failure('usage', problem, { hint });
}

/** The mode that a word names; null without one. */
export function modeNamed<M extends string>(word: string | undefined, modes: readonly M[]): M | null {
  return word === undefined ? null : named(word, modes, `there is no mode '${word}'`, 'the modes are');
}
