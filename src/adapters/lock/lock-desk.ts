import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HoldingProcess } from '../../core/lock/sighting.ts';
import { tryOr } from '../../core/try-or.ts';
import type { LockDesk, Locks, ProjectRoot } from '../../ports/lock.ts';
import { runUnderLock } from './run-under-lock.ts';

export function createLockDesk(locks: Locks, env: NodeJS.ProcessEnv): LockDesk {
  return {
    locks,
    projectRoot: findProjectRoot,
    async run(hold, argv, onSignal) {
      const end = await runUnderLock(hold, argv, { env, onSignal });
      return { end, leftBehind: leftBehindIn(locks, hold.file) };
    },
  };
}

// Unless the next one has taken it meanwhile: then those are its processes.
function leftBehindIn(locks: Locks, file: string): readonly HoldingProcess[] {
  const seen = locks.sightings();
  const lock = seen.state === 'seen' ? seen.locks.find((each) => each.file === file) : undefined;
  if (lock?.holder?.pid !== process.pid) return [];
  return lock.heldBy?.filter(({ part }) => part === 'descendant') ?? [];
}

/**
 * The canonical root of the project around a folder: links resolved, then up to the nearest folder with a repository in
 * it, else the folder itself. A linked worktree or a submodule is a root of its own, because its files are.
 */
export function findProjectRoot(folder = '.'): ProjectRoot {
  try {
    const start = realpathSync(folder);
    if (!statSync(start).isDirectory()) return { state: 'missing', text: `${folder} is not a folder` };
    return { state: 'found', path: repositoryAround(start) ?? start };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const where = folder === '.' ? 'the current folder' : folder;
    return {
      state: 'missing',
      text: code === 'ENOENT' ? `${where} does not exist` : `${where} cannot be entered: ${message}`,
    };
  }
}

function repositoryAround(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (isRepository(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return null;
  }
}

// An empty `.git` in a folder such as /tmp must not make one project of everything below it.
function isRepository(path: string): boolean {
  return tryOr(false, () => {
    if (statSync(path).isDirectory()) return statSync(join(path, 'HEAD')).isFile();
    return readFileSync(path, 'utf8').startsWith('gitdir:');
  });
}
