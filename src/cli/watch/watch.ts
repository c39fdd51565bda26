import type { Surroundings } from '../surroundings.ts';
import type { WatchOptions } from './watch-options.ts';
import { watchScreen } from './watch-screen.ts';
import { watchStream } from './watch-stream.ts';

/**
 * Shows the roll until someone ends it: full screen where there are keys and a screen to draw on, otherwise as a stream
 * of changes. Answers with the exit code.
 */
export function watch(surroundings: Surroundings, options: WatchOptions): Promise<number> {
  const { stdout, stdin, env } = surroundings;
  const isScreen = stdout.isTTY && stdin.isTTY && env.TERM !== 'dumb' && !options.isJson;
  return isScreen ? watchScreen(surroundings, options) : watchStream(surroundings, options);
}
