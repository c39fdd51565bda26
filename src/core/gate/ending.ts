/** What became of a piece of work whose owner was kept going, or would have been. */
export const ENDINGS = [
  /** Everything that was asked for held later. */
  'met',
  /** Somebody finished it although something was missing. */
  'forced',
  /** The gate let the owner stop with something missing, and nothing came after. */
  'let-go',
  'abandoned',
  'expired',
  'open',
] as const;
export type Ending = (typeof ENDINGS)[number];
