import type { Mutant } from './mutant.ts';

/** What one process has to find out; written as JSON, and named to it in the environment. */
export interface Job {
  readonly mutants: readonly Mutant[];
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  /** For each source, the tests that load it, nearest first. */
  readonly near: Readonly<Record<string, readonly string[]>>;
  /** Where the answers go, one in each line. */
  readonly answers: string;
}

/** What became of one mutant, or of a test that tells nothing about mutants. */
export type Answer =
  | { readonly kind: 'killed'; readonly id: number; readonly by: string; readonly how: 'red' | 'hung' }
  | { readonly kind: 'survived'; readonly id: number; readonly tests: number }
  /** Red without any mutant, or red when it is run once more. */
  | { readonly kind: 'unfit'; readonly test: string; readonly isRed: boolean }
  /** It has run these tests for the first time. */
  | { readonly kind: 'ran'; readonly file: string }
  /** It works on this one now: if nothing follows, this is what it hangs on. */
  | { readonly kind: 'begun'; readonly id: number };

export const JOB = 'ROLLCALL_MUTANTS_JOB';
