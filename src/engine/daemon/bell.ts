import type { Wake } from '../../core/supervision/round.ts';
import type { Timers } from '../../ports/daemon.ts';

/** Events come in groups: a hook's file is made, then finished; a dying session takes several processes along. */
const TOGETHER_MS = 30;

/** When the next round begins if nothing rings, and how long hints have to wait at least. */
export interface Waiting {
  readonly dueInMs: number;
  readonly hintsAfterMs: number;
}

/** Gathers what calls for a round while one runs and while none does. */
export interface Bell {
  ring(wake: Wake): void;
  /** What the next round begins for; empty where the waiting was ended. Only one may wait. */
  wait(waiting: Waiting): Promise<readonly Wake[]>;
  /** Ends the waiting, now and from now on. */
  end(): void;
}

export function createBell({ after }: Timers): Bell {
  const rung = new Set<Wake>();
  let isEnded = false;
  let heard: (() => void) | null = null;

  const taken = (): Wake[] => {
    const wakes = [...rung];
    rung.clear();
    return wakes;
  };

  return {
    ring(wake) {
      rung.add(wake);
      heard?.();
    },
    end() {
      isEnded = true;
      heard?.();
    },
    wait({ dueInMs, hintsAfterMs }) {
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
        cancels.push(
          after(dueInMs, () => {
            rung.add('relist');
            finish(taken());
          }),
        );
        heard();
      });
    },
  };
}
