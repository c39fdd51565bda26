import type { Surroundings } from '../frame/surroundings.ts';
import type { WatchOptions } from './look-again.ts';
import { watchScreen } from './watch-screen.ts';
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
