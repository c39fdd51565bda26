import type { Law } from './law.ts';

/** Longer than any command waits, and than any two rounds are apart. */
const COMMAND_MS = 20 * 60_000;
const ROUND_MS = 3 * 60_000;

export const noDeadlock: Law = {
  name: 'no-deadlock',
  sentence: 'every command comes to an answer, and daemons go on with their rounds',
  watch({ machine, seats, rounds }) {
    return {
      atEnd() {
        const now = machine.clock.awakeMs;
        for (const [seat, { sinceMs }] of seats) {
          if (!seat.startsWith('daemon') && now - sinceMs > COMMAND_MS)
            return `${seat} has given no answer for ${Math.round((now - sinceMs) / 60_000)} min`;
          const last = seat.startsWith('daemon') ? Math.max(sinceMs, rounds.get(seat)?.atMs ?? 0) : now;
          if (now - last > ROUND_MS) return `${seat} takes no round any more`;
        }
        return null;
      },
    };
  },
};
