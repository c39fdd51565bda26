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

interface Waiting extends Record<'dueInMs' | 'hintsAfterMs', number> {
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
     * `hintsAfterMs`. Empty where the waiting was ended. Only one may wait.
     */
    wait({ dueInMs, hintsAfterMs, felt = null }: Waiting): Promise<readonly Wake[]> {
      if (isEnded) return Promise.resolve([]);
      return new Promise((resolve) => {
        const cancels: (() => void)[] = [];
        let isHintWaiting = false;
        let isAskedWaiting = false;
        const finish = (wakes: readonly Wake[]) => {
          heard = null;
          for (const cancel of cancels) cancel();
          resolve(wakes);
        };
        const later = (ms: number) => cancels.push(after(ms, () => finish(taken())));
        heard = () => {
          if (isEnded) return finish([]);
          // Somebody waits for the answer: that goes before what hints may cost.
          if (rung.has('asked') && !isAskedWaiting) {
            isAskedWaiting = true;
            later(0);
          } else if (rung.size > 0 && !isHintWaiting) {
            isHintWaiting = true;
            later(Math.max(TOGETHER_MS, hintsAfterMs));
          }
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
