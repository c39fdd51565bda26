import type { Wake } from '../../core/supervision/round.ts';
import { tryOr } from '../../core/try-or.ts';
import type { Timers } from '../../ports/daemon.ts';

/** Events come in groups: a hook's file is made, then finished; a dying session takes several processes along. */
const TOGETHER_MS = 30;

/** Asked from time to time while nothing rings; what has moved ends the waiting. */
export interface Felt {
  readonly everyMs: number;
  hasMoved(): boolean;
}

/** How long hints wait at least; deaths are not held up by the others. */
export type HintsWait = Readonly<Record<'hintsAfterMs' | 'deathsAfterMs', number>>;

interface Waiting extends HintsWait {
  readonly dueInMs: number;
  readonly felt?: Felt | null;
}

/** Gathers what calls for a round while one runs and while none does. */
export function createBell({ after }: Timers) {
  const rung = new Set<Wake>();
  let isEnded = false;
  let heard: (() => void) | null = null;

  const taken = (): Wake[] => {
    const wakes = [...rung];
    rung.clear();
    return wakes;
  };

  return {
    ring(wake: Wake): void {
      rung.add(wake);
      heard?.();
    },
    /** Ends the waiting, now and from now on. */
    end(): void {
      isEnded = true;
      heard?.();
    },
    /**
     * Gives what the next round begins for: after `dueInMs` if nothing rings and nothing is felt to move; hints wait at least for
     * as long as is said. Empty where the waiting was ended. Only one may wait.
     */
    wait({ dueInMs, hintsAfterMs, deathsAfterMs, felt = null }: Waiting): Promise<readonly Wake[]> {
      if (isEnded) return Promise.resolve([]);
      return new Promise((resolve) => {
        const cancels: (() => void)[] = [];
        let waitsMs = Number.POSITIVE_INFINITY;
        const finish = (wakes: readonly Wake[]) => {
          heard = null;
          for (const cancel of cancels) cancel();
          resolve(wakes);
        };
        const begin = () => finish(taken());
        const waitOf = (wake: Wake): number => {
          // Somebody waits for the answer: that goes before what hints may cost.
          if (wake === 'asked') return 0;
          return Math.max(TOGETHER_MS, wake === 'death' ? deathsAfterMs : hintsAfterMs);
        };
        heard = () => {
          if (isEnded) return finish([]);
          const ms = Math.min(...[...rung].map(waitOf));
          if (ms >= waitsMs) return;
          waitsMs = ms;
          cancels.push(after(ms, begin));
        };
        const relist = () => {
          rung.add('relist');
          finish(taken());
        };
        const feel = ({ everyMs, hasMoved }: Felt) => {
          // What fails cannot be told, and nobody else is there to hear of it.
          const again = () => (tryOr(true, hasMoved) ? relist() : feel({ everyMs, hasMoved }));
          cancels.push(after(everyMs, again));
        };
        cancels.push(after(dueInMs, relist));
        if (felt !== null) feel(felt);
        heard();
      });
    },
  };
}
