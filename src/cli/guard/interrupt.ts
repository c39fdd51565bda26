import type { Surroundings } from '../frame/surroundings.ts';

/** What shells expect of a program that ended by Ctrl-C or SIGTERM. */
const EXITS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Turns a wish to end into an abort, so that the command can say how things stand before it goes. */
export function onInterrupt({ onSignal }: Pick<Surroundings, 'onSignal'>): {
  readonly signal: AbortSignal;
  /** The exit code of the signal that came. */
  exitCode(): number;
  release(): void;
} {
  const abort = new AbortController();
  let exitCode: number = EXITS.SIGINT;
  const releases = (['SIGINT', 'SIGTERM'] as const).map((name) =>
    onSignal(name, () => {
      exitCode = EXITS[name];
      abort.abort();
    }),
  );
  return {
    signal: abort.signal,
    exitCode: () => exitCode,
    release: () => {
      for (const release of releases) release();
    },
  };
}
