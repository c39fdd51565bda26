import { readFileSync } from 'node:fs';
import { type Mutant, nameIn } from './mutant.ts';

/** Mutants that no test has to find, and why: for each source its reasons, for each reason what the mutants are called. */
export type Excused = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Why each mutant that may survive may do so, by what it is called. */
export function readExcused(file = 'test/mutants/excused.json'): Excused {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Why a mutant may survive; undefined where nobody said so. */
export function reasonFor(excused: Excused, mutant: Mutant): string | undefined {
  const name = nameIn(mutant);
  return Object.entries(excused[mutant.file] ?? {}).find(([, names]) => names.includes(name))?.[0];
}

/** What is excused in these sources and is no mutant of them any more. */
export function staleIn(excused: Excused, sources: readonly string[], mutants: readonly Mutant[]): string[] {
  const known = new Set(mutants.map((one) => `${one.file} ${nameIn(one)}`));
  return Object.entries(excused)
    .filter(([file]) => sources.includes(file))
    .flatMap(([file, reasons]) =>
      Object.values(reasons)
        .flat()
        .map((name) => `${file} ${name}`),
    )
    .filter((name) => !known.has(name));
}
