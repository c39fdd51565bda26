import type { DaemonLog, WakeSource } from '../../ports/daemon.ts';
import { createFolderWatch } from './folder-watch.ts';

/**
 * Listens to files that this process writes too. What they looked like after the last round is no news: only another mark
 * calls for a round, so that no round calls for the next.
 */
export function createMarkedWatch(options: {
  readonly folder: string;
  isWanted(name: string): boolean;
  mark(): string;
  readonly log: DaemonLog;
}): WakeSource {
  const { folder, log } = options;
  let known: string | null = null;
  const mark = () => {
    try {
      return options.mark();
    } catch {
      return null;
    }
  };
  const watch = createFolderWatch({
    folder,
    log,
    whyOf: (name) => (options.isWanted(name) && mark() !== known ? 'ledger' : null),
  });
  return {
    start(wake) {
      known = mark();
      watch.start(wake);
    },
    follow(round) {
      known = mark();
      return watch.follow(round);
    },
    stop: () => watch.stop(),
  };
}
