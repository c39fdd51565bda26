import type { Surroundings } from '../frame/surroundings.ts';

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens for every ordinary wish to end, so that the watch can put things in order before it goes. */
export function endSignals({ onSignal }: Pick<Surroundings, 'onSignal'>): {
  readonly ended: Promise<'ended'>;
  release(): void;
} {
  let end: () => void = () => {};
  const ended = new Promise<'ended'>((resolve) => {
    end = () => resolve('ended');
  });
  const releases = ENDINGS.map((signal) => onSignal(signal, () => end()));
  return {
    ended,
    release: () => {
      for (const release of releases) release();
    },
  };
}
