import { pause } from '../../operations/pause.ts';
import type { Surroundings } from './surroundings.ts';

/** What shells expect of a program that ended by one of these. */
const EXITS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type Ending = keyof typeof EXITS;

/** Every ordinary wish to end, for what shows something until then. */
export const ENDINGS: readonly Ending[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Turns a wish to end into an abort, so that a command can put things in order before it goes. */
export function onInterrupt(
  { onSignal }: Pick<Surroundings, 'onSignal'>,
  names: readonly Ending[] = ['SIGINT', 'SIGTERM'],
) {
  const abort = new AbortController();
  const { signal } = abort;
  let exitCode: number = EXITS.SIGINT;
  const ended = new Promise<'ended'>((resolve) => {
    signal.addEventListener('abort', () => resolve('ended'));
  });
  const releases = names.map((name) =>
    onSignal(name, () => {
      exitCode = EXITS[name];
      abort.abort();
    }),
  );
  return {
    signal,
    ended,
    /** The exit code of the signal that came. */
    exitCode: () => exitCode,
    /** Waits so long, or until the end. */
    pause: async (ms: number): Promise<'ended' | 'over'> => {
      await pause(ms, signal);
      return signal.aborted ? 'ended' : 'over';
    },
    release: () => {
      for (const release of releases) release();
    },
  };
}
