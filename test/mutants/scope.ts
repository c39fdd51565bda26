import { readFileSync } from 'node:fs';
import { mutated } from './generate.ts';
import type { Mutant } from './mutant.ts';
import { filesBelow } from './reach.ts';

/** Whatever decides about a close, a sleep, a signal, a removal or an answer, and does it without a process of its own. */
const FOLDERS = [
  ...[
    'agent',
    'checks',
    'close',
    'gate',
    'guard',
    'lock',
    'memory',
    'pressure',
    'prompt',
    'reaper',
    'restore',
  ],
  ...['rules', 'settle', 'sight', 'sleep', 'supervision', 'verdict'],
].map((folder) => `src/core/${folder}`);

/** The sources that are mutated; with `only`, those in these folders, or these files. */
export function sourcesIn(only: readonly string[]): string[] {
  const all = FOLDERS.flatMap(filesBelow);
  const paths = only.map((path) => path.replace(/\/$/, ''));
  if (paths.length === 0) return all;
  return all.filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)));
}

/** All mutants of these sources, numbered through. */
export function mutantsIn(sources: readonly string[]): Mutant[] {
  const all: Mutant[] = [];
  for (const file of sources) all.push(...mutated(file, readFileSync(file, 'utf8'), all.length).mutants);
  return all;
}
