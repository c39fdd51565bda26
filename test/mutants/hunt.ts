import { setImmediate } from 'node:timers/promises';
import type { Board } from './board.ts';
import type { Answer, Job } from './job.ts';
import type { Mutant } from './mutant.ts';
import { distance } from './nearness.ts';
import type { Known, Tests } from './tests.ts';

/** Looks for a test that goes red with each mutant of a job. */
export async function hunt(
  { mutants, near }: Job,
  tests: Tests,
  board: Board,
  answer: (one: Answer) => void,
): Promise<void> {
  const root = `${process.cwd()}/`;
  const reaching = new Map<number, Known[]>();
  for (const test of tests.known)
    for (const id of test.reaches) reaching.set(id, [...(reaching.get(id) ?? []), test]);
  const again: Mutant[] = [];
  for (const mutant of mutants) {
    // What answers Vitest's own questions gets its turn.
    await setImmediate();
    answer({ kind: 'begun', id: mutant.id });
    const chosen = ordered(reaching.get(mutant.id) ?? [], mutant.file, root);
    const found = mutant.isStatic ? null : await inPlace(mutant, chosen, tests, board);
    if (found === null || (found.at(-1)?.kind === 'survived' && isAskedWhileLoading(mutant, tests)))
      again.push(mutant);
    else for (const one of found) answer(one);
  }
  for (const mutant of again) {
    await setImmediate();
    answer({ kind: 'begun', id: mutant.id });
    const rank = new Map((near[mutant.file] ?? []).map((file, index) => [`${root}${file}`, index]));
    const chosen = tests.known
      .filter((test) => rank.has(test.file) && isToldAnew(mutant, test, tests))
      .sort((a, b) => (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) || a.index - b.index);
    answer(await anew(mutant, chosen, tests));
  }
}

function isAskedWhileLoading({ id }: Mutant, { whileLoading }: Tests): boolean {
  return [...whileLoading.values()].some((asked) => asked.has(id));
}

// What a mutant changes in what is loaded once may show in any test.
function isToldAnew({ id, isStatic }: Mutant, { file, reaches }: Known, { whileLoading }: Tests): boolean {
  return isStatic || reaches.has(id) || whileLoading.get(file)?.has(id) === true;
}

// Null where it has to be played with everything loaded anew: nothing asked for it, or what it did remains.
async function inPlace(
  mutant: Mutant,
  chosen: readonly Known[],
  tests: Tests,
  board: Board,
): Promise<Answer[] | null> {
  const unfit: Answer[] = [];
  let [asked, played] = [chosen.length === 0, 0];
  for (const test of chosen) {
    if (tests.unfit.has(test)) continue;
    played += 1;
    const went = await tests.play(test, mutant.id, () => {
      asked ||= board.wasAsked();
    });
    if (went === 'green') continue;
    if ((await tests.play(test, -1)) === 'green')
      return [...unfit, { kind: 'killed', id: mutant.id, by: test.name, how: went }];
    tests.forget();
    const isFit = (await tests.play(test, -1)) === 'green' && (await tests.play(test, -1)) === 'green';
    if (isFit) return null;
    tests.forget();
    tests.unfit.add(test);
    unfit.push({ kind: 'unfit', test: test.name, isRed: false });
  }
  return asked ? [...unfit, { kind: 'survived', id: mutant.id, tests: played }] : null;
}

async function anew(mutant: Mutant, chosen: readonly Known[], tests: Tests): Promise<Answer> {
  tests.forget();
  let played = 0;
  for (const test of chosen) {
    if (tests.unfit.has(test)) continue;
    played += 1;
    const went = await tests.play(test, mutant.id);
    if (went === 'green') continue;
    tests.forget();
    return { kind: 'killed', id: mutant.id, by: test.name, how: went };
  }
  tests.forget();
  return { kind: 'survived', id: mutant.id, tests: played };
}

function ordered(tests: readonly Known[], source: string, root: string): Known[] {
  const far = (test: Known) => distance(test.file.slice(root.length), source);
  return [...tests].sort((a, b) => far(a) - far(b) || a.usual.ms - b.usual.ms);
}
