import type { Finding } from './finding.ts';

/** How the mending of one finding can end. `skipped`: it is not so any more, or not certain, and nothing was touched. */
export const MENDING_RESULTS = ['mended', 'would-mend', 'skipped', 'unanswered', 'failed'] as const;

/** What became of one finding that was to be mended. */
export interface Mending {
  readonly check: string;
  readonly finding: Finding;
  readonly result: (typeof MENDING_RESULTS)[number];
  readonly text: string;
}
