import type { GateContract } from '../../core/gate/contract.ts';

/** How long a stop waits for those who write at the same moment. */
export const LOCK_MS = 1000;
/** The hook gives a quick answer 1.7 s, of which starting Node takes some. */
export const QUICK_LIMIT_MS = 1500;
/** For git, the lock and the record beside the commands. */
export const RUN_MARGIN_MS = 5000;
/** How long a stop that was let go already waits for them. */
export const LATER_LOCK_MS = 10_000;
/** Whoever looks at such stops ends after this, however many wait. */
export const LATER_LIMIT_MS = 600_000;
/** All commands of one stop together, whatever their own times. */
const RUN_LIMIT_MS = 240_000;
const SLOW_GIT_MS = 20_000;

/** How long the checks of a contract may take at one stop: the same for whoever asks for the time and whoever gets it. */
export function runLimitMs({ checks }: Pick<GateContract, 'checks'>): number {
  const wanted = checks.map(({ check }) => (check.kind === 'command' ? check.timeoutMs : 0));
  const total = wanted.reduce((sum, ms) => sum + ms, 0);
  return Math.min(RUN_LIMIT_MS, total + SLOW_GIT_MS + RUN_MARGIN_MS);
}
