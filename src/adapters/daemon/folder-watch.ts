import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Wake } from '../../core/supervision/round.ts';
import { tryOr } from '../../core/try-or.ts';
import type { DaemonLog, WakeSource } from '../../ports/daemon.ts';

export interface FolderWatchOptions {
  readonly folder: string;
  /** What news in it calls for. */
  readonly why: Wake;
  /** Whether an event on a file of this name is news. Where that cannot be told, it is. */
  isNews(name: string, event: 'rename' | 'change'): boolean;
  /** Whether it may come later: until then the folder above it is watched, which is rollcall's own. */
  readonly isAwaited?: boolean;
  readonly log: DaemonLog;
}

/**
 * Watches one folder, which may come, go and be replaced: the watch is renewed when that is heard, and after each round. A
 * system without watches left loses hints only; rounds come all the same.
 */
export function createFolderWatch(options: FolderWatchOptions): Required<Omit<WakeSource, 'begin'>> {
  const { folder, why, isNews, isAwaited = false, log } = options;
  const above = dirname(folder);
  let watcher: FSWatcher | null = null;
  let at: { readonly place: string; readonly inode: bigint } | null = null;
  let failed = '';
  let wake: ((why: Wake) => void) | null = null;

  const release = () => {
    watcher?.close();
    watcher = null;
    at = null;
  };

  const listen = (place: string, inode: bigint) => {
    if (at?.place === place && at.inode === inode) return;
    release();
    watcher = watch(place, { persistent: false }, (event, name) => hear(place, name ?? '', event));
    watcher.on('error', release);
    at = { place, inode };
    failed = '';
  };

  const arm = () => {
    if (wake === null) return;
    const found = entryAt(folder);
    const higher = found === undefined && isAwaited ? entryAt(above) : undefined;
    if (higher?.isDirectory()) listen(above, higher.ino);
    // It may have come before the other was watched.
    const come = higher === undefined ? found : entryAt(folder);
    if (come?.isDirectory()) listen(folder, come.ino);
    else if (!higher?.isDirectory()) release();
  };

  const tryToArm = () => {
    const wasListening = watcher !== null;
    try {
      arm();
    } catch (error) {
      release();
      const { message } = error as Error;
      if (message !== failed) log.warn('watch-failed', { folder, text: message });
      failed = message;
    }
    // The next round may be far away, because this was relied on.
    if (wasListening && watcher === null) wake?.(why);
  };

  const hear = (place: string, name: string, event: 'rename' | 'change') => {
    // One that goes or moves away is told of by its own name; its number may be that of the next one.
    const isOther = event === 'rename' && (name === basename(place) || name === basename(folder));
    if (isOther) {
      at = null;
      tryToArm();
    }
    // What came into it before it was watched is not told of any more.
    if (at?.place === folder && (isOther || tryOr(true, () => isNews(name, event)))) wake?.(why);
  };

  return {
    start(onWake) {
      wake = onWake;
      tryToArm();
    },
    follow: tryToArm,
    stop: release,
    isDeaf: () => watcher === null,
  };
}

function entryAt(path: string) {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** Files that came or grew in a spool; one that rollcall took away again tells nothing. */
export function spoolNews(folder: string): (name: string) => boolean {
  return (name) => {
    if (name.startsWith('.')) return false;
    return name === '' || lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
  };
}

/**
 * Listens to files that this process writes too. What they looked like before the last look is no news: only another mark
 * calls for a round. What a round writes itself calls for one more, which has nothing to write: nothing tells it from what others
 * write while the round acts and tells.
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
    why: 'ledger',
    isNews: (name) => options.isWanted(name) && mark() !== known,
  });
  return {
    start(wake) {
      known = mark();
      watch.start(wake);
    },
    begin() {
      known = mark();
    },
    follow: watch.follow,
    stop: () => watch.stop(),
    isDeaf: watch.isDeaf,
  };
}
