import { ENDINGS, onInterrupt } from '../frame/interrupt.ts';
import type { Surroundings } from '../frame/surroundings.ts';
import type { WatchOptions } from './look-again.ts';
import { openScreen } from './screen.ts';
import { initialState } from './state.ts';
import { startLoop } from './watch-loop.ts';
import { watchStream } from './watch-stream.ts';

/**
 * Shows the roll until someone ends it: full screen where there are keys and a screen to draw on, otherwise as a stream
 * of changes. Answers with the exit code.
 */
export function watch(surroundings: Surroundings, options: WatchOptions): Promise<number> {
  return isFullScreen(surroundings, options.isJson)
    ? watchScreen(surroundings, options)
    : watchStream(surroundings, options);
}

/** Whether there are keys and a screen to draw on. */
export function isFullScreen({ stdout, stdin, env }: Surroundings, isJson: boolean): boolean {
  return stdout.isTTY && stdin.isTTY && env.TERM !== 'dumb' && !isJson;
}

/** The live full-screen roll. Keys never wait for a look, and the terminal is given back whatever happens. */
async function watchScreen(surroundings: Surroundings, options: WatchOptions): Promise<number> {
  const { stdout, stdin } = surroundings;
  const screen = openScreen(stdout, stdin);
  const { ended, release } = onInterrupt(surroundings, ENDINGS);
  const cleanups: (() => void)[] = [release];
  try {
    await new Promise<void>((resolve, reject) => {
      const { columns, rows } = sizeOf(surroundings);
      const loop = startLoop({
        surroundings,
        options,
        screen,
        initial: initialState(columns, rows, surroundings.now()),
        end: (error) => (error === undefined ? resolve() : reject(error)),
      });
      cleanups.push(
        () => loop.stop(),
        stdin.onText((text) => loop.typed(text)),
        stdout.onResize(() => loop.happen({ type: 'resized', ...sizeOf(surroundings) }, true)),
        // Whoever had the terminal while this was stopped left it in another mode.
        surroundings.onSignal('SIGCONT', () => loop.happen({ type: 'ticked' }, true)),
      );
      void ended.then(() => loop.happen({ type: 'ended' }));
    });
    return 0;
  } finally {
    screen.close();
    for (const cleanup of cleanups) cleanup();
  }
}

// A terminal that does not tell its size is taken for the usual one.
function sizeOf({ stdout }: Surroundings): { columns: number; rows: number } {
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
}
