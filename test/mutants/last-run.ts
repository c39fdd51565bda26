import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Answer } from './job.ts';
import { type Mutant, nameIn } from './mutant.ts';

const PLACE = 'node_modules/.cache/rollcall/mutants.json';

/** What a run found, and the processor time that it took. */
export interface Run {
  readonly answers: readonly Answer[];
  readonly cpuMs: number;
}

/** For each mutant by its name the test that found it; null where none did. */
interface Kept {
  readonly cpuMs: number;
  readonly by: Readonly<Record<string, string | null>>;
}

/** Keeps what a run found, of a part beside what was found of the others: to read it again takes no second run. */
export function keepRun(mutants: readonly Mutant[], { answers, cpuMs }: Run, isWhole: boolean): void {
  const names = new Map(mutants.map((one) => [one.id, wholeName(one)]));
  const before = isWhole ? null : read();
  const by = { ...before?.by };
  for (const one of answers) {
    const name = 'id' in one ? names.get(one.id) : undefined;
    if (name === undefined || one.kind === 'begun') continue;
    by[name] = one.kind === 'killed' ? one.by : null;
  }
  mkdirSync(dirname(PLACE), { recursive: true });
  writeFileSync(PLACE, JSON.stringify({ cpuMs: (before?.cpuMs ?? 0) + cpuMs, by } satisfies Kept));
}

/** What the last runs found of these mutants; null where one of them was never played. */
export function lastRun(mutants: readonly Mutant[]): Run | null {
  const kept = read();
  if (kept === null || !mutants.every((one) => Object.hasOwn(kept.by, wholeName(one)))) return null;
  const answers = mutants.map((one): Answer => {
    const by = kept.by[wholeName(one)] ?? null;
    const { id } = one;
    return by === null ? { kind: 'survived', id, tests: 0 } : { kind: 'killed', id, by, how: 'red' };
  });
  return { answers, cpuMs: kept.cpuMs };
}

function read(): Kept | null {
  try {
    return JSON.parse(readFileSync(PLACE, 'utf8'));
  } catch {
    return null;
  }
}

function wholeName(mutant: Mutant): string {
  return `${mutant.file} ${nameIn(mutant)}`;
}
