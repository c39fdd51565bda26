import type { Surroundings } from '../frame/surroundings.ts';

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens for every ordinary wish to end, so that a command can put things in order before it goes. */
export function endSignals({ onSignal }: Pick<Surroundings, 'onSignal'>): {
  readonly ended: Promise<'ended'>;
  /** Waits so long, or until the end. */
  pause(ms: number): Promise<'ended' | 'over'>;
  release(): void;
} {
  let end: () => void = () => {};
  const ended = new Promise<'ended'>((resolve) => {
    end = () => resolve('ended');
  });
  const releases = ENDINGS.map((signal) => onSignal(signal, () => end()));
  return {
    ended,
    pause: async (ms) => {
      let timer: NodeJS.Timeout | undefined;
      const over = new Promise<'over'>((resolve) => {
        timer = setTimeout(() => resolve('over'), ms);
      });
      return Promise.race([ended, over]).finally(() => clearTimeout(timer));
    },
    release: () => {
      for (const release of releases) release();
    },
  };
}
