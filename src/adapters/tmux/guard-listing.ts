import type { GuardProbes } from '../../ports/guard.ts';
import { captureScreens } from './capture-screens.ts';
import { inspectSocket } from './find-sockets.ts';
import { listServer } from './inquire.ts';
import { createListingParser } from './parse-listing.ts';
import { createTmuxRunner } from './run-tmux.ts';

/** What a guard asks one tmux server: a listing and screens, each one fork, bounded in time. */
export function createGuardListing(options: {
  readonly env: NodeJS.ProcessEnv;
  readonly uid: number;
  readonly now: () => number;
  readonly timeoutMs: number;
}): Pick<GuardProbes, 'list' | 'capture'> {
  const { uid, now } = options;
  const run = createTmuxRunner(options);
  const parse = createListingParser();
  return {
    async list(path, signal) {
      const place = inspectSocket(path, uid);
      if (place.state !== 'socket') return { ...place, observedAt: now() };
      return listServer(run, place.socketPath, { now, asksPath: false, parse, signal });
    },
    capture: (socketPath, serverPid, paneIds) => captureScreens(run, { socketPath, serverPid, paneIds, now }),
  };
}
