/** CPU time that rounds may take when hints call for them; spent by each, and growing back while none runs. */
export interface Allowance {
  readonly ms: number;
  readonly awakeMs: number;
}

/** Hints come in storms where many agents work: a quarter of one core, so that the agents keep the rest. */
const SHARE = 0.25;
/** So much can be saved up: a burst of events is followed at once. */
const MOST_MS = 3000;
/** Even in a storm what hints tell is seen after this. */
const LONGEST_MS = 1000;

export function fullAllowance(awakeMs: number): Allowance {
  return { ms: MOST_MS, awakeMs };
}

/** What is left after a round; never so little that it could not grow back within `LONGEST_MS`. */
export function spend(allowance: Allowance, costMs: number, awakeMs: number): Allowance {
  const grownMs = grown(allowance, awakeMs) - Math.max(0, costMs);
  return { ms: Math.max(-LONGEST_MS * SHARE, grownMs), awakeMs };
}

/** How long a hint has to wait until it may begin a round; 0 where one may begin now. */
export function hintWaitsMs(allowance: Allowance, awakeMs: number): number {
  return Math.max(0, Math.ceil(-grown(allowance, awakeMs) / SHARE));
}

function grown({ ms, awakeMs: since }: Allowance, awakeMs: number): number {
  return Math.min(MOST_MS, ms + Math.max(0, awakeMs - since) * SHARE);
}
