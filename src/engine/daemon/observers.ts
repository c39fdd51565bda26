import type { Round } from '../../core/supervision/round.ts';
import { visible } from '../../core/text/visible.ts';
import type { DaemonLog } from '../../ports/daemon.ts';
import type { RoundObserver } from './desk.ts';

/** One that does not keep up misses rounds, rather than filling the memory with them. */
const MOST_WAITING = 20;

interface Seat {
  readonly observer: RoundObserver;
  waiting: number;
  last: Promise<void>;
}

/** Everybody who hears of rounds: each in order, none in another's way. */
export function createObservers(log: DaemonLog) {
  const seats = new Set<Seat>();
  const hear = async (seat: Seat, round: Round) => {
    try {
      await seat.observer(round);
    } catch (error) {
      log.warn('observer-failed', { round: round.number, text: visible(messageOf(error), 400) });
    } finally {
      seat.waiting -= 1;
    }
  };
  return {
    add(observer: RoundObserver): () => void {
      const seat: Seat = { observer, waiting: 0, last: Promise.resolve() };
      seats.add(seat);
      return () => seats.delete(seat);
    },
    tell(round: Round): void {
      for (const seat of seats) {
        if (seat.waiting >= MOST_WAITING) {
          log.warn('observer-behind', { round: round.number });
          continue;
        }
        seat.waiting += 1;
        // Who is not busy hears it at once, without waiting for a turn of the event loop.
        seat.last = seat.waiting === 1 ? hear(seat, round) : seat.last.then(() => hear(seat, round));
      }
    },
    /** Resolves when all have heard everything. */
    async settled(): Promise<void> {
      await Promise.all([...seats].map(({ last }) => last));
    },
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
