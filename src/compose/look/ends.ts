import { join } from 'node:path';
import { createEndsFolder } from '../../adapters/ends/ends-folder.ts';
import type { StateFolder } from '../../adapters/state/state-folder.ts';
import type { TmuxActuatorOptions } from '../../adapters/tmux/act/tmux-actuator.ts';
import { programPath } from '../../core/sight/program-path.ts';
import type { Ends } from '../../ports/records.ts';
import { ownStateFolder } from '../system/own-user.ts';
import { programOnPath } from '../system/program-on-path.ts';
import { startsIn } from './starts.ts';

/** Where tmux writes down how programs ended. */
export function endsFolderIn(statePath: string): string {
  return join(statePath, 'ends');
}

/** What tmux has written down; nothing where the state folder is refused. */
export function endsIn(folder: StateFolder): Ends {
  if (folder.state !== 'ready') return NONE;
  const starts = startsIn(folder);
  return createEndsFolder(endsFolderIn(folder.path), (run) => Object.values(starts.of(run)?.env ?? {}));
}

const NONE: Ends = { all: () => [], of: () => null, drop: () => {} };

/** What tmux is told for that. Without a place of its own a session is started all the same, and its end is not known. */
export function endPlaceOf(env: NodeJS.ProcessEnv): Pick<TmuxActuatorOptions, 'ends'> {
  const folder = ownStateFolder(env);
  const tmuxPath = programOnPath('tmux', env);
  if (folder.state !== 'ready' || tmuxPath === null) return {};
  return {
    ends: { folder: endsFolderIn(folder.path), tmuxPath, programPath: programPath(env.PATH) },
  };
}
