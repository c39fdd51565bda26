import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Wake } from '../../core/supervision/round.ts';
import { tryOr } from '../../core/try-or.ts';
import type { DaemonLog, WakeSource } from '../../ports/daemon.ts';

export interface FolderWatchOptions {
  readonly folder: string;
  /** What an event on a file of this name tells; null where it tells nothing. */
  whyOf(name: string, event: 'rename' | 'change'): Wake | null;
  readonly log: DaemonLog;
}

/**
 * Watches one folder, which may come, go and be replaced: the watch is renewed after each round. A system without
 * watches left loses hints only; rounds come all the same.
 */
export function createFolderWatch({ folder, whyOf, log }: FolderWatchOptions): Required<WakeSource> {
  let watcher: FSWatcher | null = null;
  let inode: bigint | null = null;
  let failed = '';
  let wake: ((why: Wake) => void) | null = null;

  const release = () => {
    watcher?.close();
    watcher = null;
    inode = null;
  };

  const arm = () => {
    const found = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
    const isFolder = found?.isDirectory() === true;
    if (watcher !== null && isFolder && found.ino === inode) return;
    release();
    if (!isFolder || wake === null) return;
    const tell = wake;
    watcher = watch(folder, { persistent: false }, (event, name) => {
      const why = whyOf(name ?? '', event);
      if (why !== null) tell(why);
    });
    watcher.on('error', release);
    inode = found.ino;
    failed = '';
  };

  const tryToArm = () => {
    try {
      arm();
    } catch (error) {
      release();
      const { message } = error as Error;
      if (message !== failed) log.warn('watch-failed', { folder, text: message });
      failed = message;
    }
  };

  return {
    start(onWake) {
      wake = onWake;
      tryToArm();
    },
    follow: tryToArm,
    stop: release,
    isDeaf: () => failed !== '',
  };
}

/** Files that came or grew in a spool; one that rollcall took away again tells nothing. */
export function spoolWhy(folder: string): (name: string) => Wake | null {
  return (name) => {
    if (name.startsWith('.')) return null;
    if (name !== '' && lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined) return null;
    return 'hook';
  };
}

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
  const mark = () => tryOr(null, () => options.mark());
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
    isDeaf: watch.isDeaf,
  };
}
