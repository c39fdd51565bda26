import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createFolderWatch, createMarkedWatch, spoolNews } from '../../adapters/daemon/folder-watch.ts';
import { createPulse } from '../../adapters/daemon/pulse.ts';
import { createTerminalWatch } from '../../adapters/daemon/terminal-watch.ts';
import { createTmuxHooks } from '../../adapters/daemon/tmux-hooks.ts';
import { markAt } from '../../adapters/files/file-mark.ts';
import type { StateFolder } from '../../adapters/state/state-folder.ts';
import { ledgerMark } from '../../adapters/store-sqlite/ledger-mark.ts';
import { createTmuxRunner } from '../../adapters/tmux/run-tmux.ts';
import type { Settings } from '../../config/settings.ts';
import type { DaemonLog, WakeSource } from '../../ports/daemon.ts';
import { spoolIn } from '../hooks.ts';
import { endsFolderIn } from '../look/ends.ts';

const MAX_HOOKS_BYTES = 1024 * 1024;
/** Written by `rollcall reap mode`. */
const REAPER_FILE = 'reaper.json';

/** Everything that wakes the daemon before its time. */
export function daemonWakes(
  env: NodeJS.ProcessEnv,
  { tmux, daemon }: Settings,
  folder: StateFolder,
  log: DaemonLog,
): WakeSource[] {
  const spool = spoolIn(folder);
  const ends = endsFolderIn(folder.path);
  const signals = join(folder.path, 'signals');
  const run = createTmuxRunner({ env, timeoutMs: tmux.timeoutMs });
  const hooks = createTmuxHooks({
    folder: signals,
    isOn: daemon.hasTmuxHooks,
    log,
    async run(socketPath, command) {
      const ran = await run(socketPath, command, { maxBytes: MAX_HOOKS_BYTES });
      return ran.ended === 'exit' && ran.code === 0 ? ran.stdout.toString('utf8') : null;
    },
  });
  const terminals = createTerminalWatch({ log });
  return [
    createFolderWatch({ folder: spool, why: 'hook', isNews: spoolNews(spool), isAwaited: true, log }),
    createMarkedWatch({
      folder: folder.path,
      log,
      isWanted: (name) => name.startsWith('ledger.') || name === REAPER_FILE,
      mark: () => `${ledgerMark(folder.path).text} ${markAt(join(folder.path, REAPER_FILE)) ?? ''}`,
    }),
    createFolderWatch({ folder: ends, why: 'tmux-hook', isNews: endNews(ends), isAwaited: true, log }),
    terminals,
    createPulse({ isHeard: terminals.hearsAll }),
    // Where no hooks were ever set there are none to remove.
    ...(daemon.hasTmuxHooks || existsSync(signals) ? [hooks] : []),
  ];
}

// A record that is whole has no dot in its name; one that was taken into the ledger tells nothing.
function endNews(folder: string): (name: string) => boolean {
  return (name) => !name.includes('.') && existsSync(join(folder, name));
}
