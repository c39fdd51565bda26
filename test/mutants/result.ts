import { type Excused, reasonFor, staleIn } from './excused.ts';
import type { Answer } from './job.ts';
import { type Mutant, nameIn } from './mutant.ts';

/** What a run found out. */
export interface Result {
  readonly mutants: readonly Mutant[];
  readonly killed: readonly Mutant[];
  readonly listed: readonly Mutant[];
  readonly survived: readonly Mutant[];
  /** What is wrong with the list, or with the tests. */
  readonly problems: readonly string[];
}

/** Sorts the mutants by what became of them. */
export function resultOf(mutants: readonly Mutant[], answers: readonly Answer[], excused: Excused): Result {
  const killers = new Map(
    answers.flatMap((one) => (one.kind === 'killed' ? [[one.id, one.by] as const] : [])),
  );
  const [killed, alive] = [
    mutants.filter(({ id }) => killers.has(id)),
    mutants.filter(({ id }) => !killers.has(id)),
  ];
  const excusedOf = (mutant: Mutant) => reasonFor(excused, mutant);
  const files = [...new Set(mutants.map(({ file }) => file))];
  const found = killed.filter((one) => excusedOf(one) !== undefined);
  return {
    mutants,
    killed,
    listed: alive.filter((one) => excusedOf(one) !== undefined),
    survived: alive.filter((one) => excusedOf(one) === undefined),
    problems: [
      ...staleIn(excused, files, mutants).map((name) => `excused, and no mutant any more: ${name}`),
      ...found.map((one) => `excused, and found by ${killers.get(one.id)}: ${one.file} ${nameIn(one)}`),
      ...answers.flatMap((one) =>
        one.kind === 'unfit' && one.isRed ? [`red without any mutant: ${one.test}`] : [],
      ),
    ],
  };
}
