import type { Desk, RoundObserver } from './desk.ts';

/** Whoever is at something has its session's lock, and is left alone anyhow: this only keeps looks from being taken in vain. */
const LEFT_ALONE_MS = 60_000;
const LONGEST_WAIT_MS = 600_000;

/**
 * Has brought to its end what somebody was killed at, or could not record, while the daemon runs: the next command that acts
 * would do so too, and may never come. Whatever is done with hands recovers first, so nothing else is asked for.
 */
export function createInterruptedObserver(desk: Pick<Desk, 'ledger' | 'withHands'>): RoundObserver {
  let since = new Map<number, number>();
  let waitMs = 0;
  let dueAtMs = 0;
  return async ({ now: { awakeMs } }) => {
    const open = [...desk.ledger.facts().folded.openIntents.keys()];
    since = new Map(open.map((sequence) => [sequence, since.get(sequence) ?? awakeMs]));
    if (![...since.values()].some((at) => awakeMs - at >= LEFT_ALONE_MS)) {
      [waitMs, dueAtMs] = [0, 0];
      return;
    }
    if (awakeMs < dueAtMs) return;
    waitMs = Math.min(LONGEST_WAIT_MS, Math.max(LEFT_ALONE_MS, waitMs * 2));
    dueAtMs = awakeMs + waitMs;
    await desk.withHands(async () => {});
  };
}
