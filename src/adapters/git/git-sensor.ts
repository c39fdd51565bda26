import type { GitSighting } from '../../core/sighting.ts';
import { createTurns } from '../../core/take-turns.ts';
import type { GitSensor } from '../../ports/sensor.ts';
import { findWorkTree } from './find-work-tree.ts';
import { createWorkTreeReader, type Recall, type WorkTreeSighting } from './read-work-tree.ts';
import type { Spawn } from './run-git.ts';

export interface GitSensorOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Wall clock, epoch ms. */
  readonly now: () => number;
  /** For each of config, status and history, however many calls they take: a big tree on a slow disk answers in 3 s. */
  readonly timeoutMs?: number;
  /** git processes at a time: enough to hide waiting for the disk, few enough to leave the machine to the agents. */
  readonly maxParallel?: number;
  /** What is remembered of each work tree, by its git folder; lives as long as the sensor. */
  readonly cache?: Map<string, Recall>;
  /** Starts git; another one only in tests. */
  readonly spawn?: Spawn;
}

/**
 * Sees git facts of working directories and of the repositories below them: normally three to five git calls for a
 * repository, one when only files may have changed, none within two seconds. Takes no lock, writes nothing, and runs no
 * program that a repository's config names.
 */
export function createGitSensor(options: GitSensorOptions): GitSensor {
  const { env, now, timeoutMs = 3000, maxParallel = 4, cache = new Map(), spawn } = options;
  const read = createWorkTreeReader({
    access: { env, timeoutMs, ...(spawn === undefined ? {} : { spawn }) },
    now,
    cache,
  });
  const takeTurn = createTurns(maxParallel);
  const underWay = new Map<string, Promise<WorkTreeSighting>>();

  const look = (key: string, task: () => Promise<WorkTreeSighting>): Promise<WorkTreeSighting> => {
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const sighting = takeTurn(() => {
      const startedAt = now();
      return within(4 * timeoutMs, task(), (text) => ({
        ...failed(text),
        observedAt: startedAt,
      }));
    }).finally(() => underWay.delete(key));
    underWay.set(key, sighting);
    return sighting;
  };

  const senseOne = async (cwd: string): Promise<GitSighting> => {
    const observedAt = now();
    const finding = await within(timeoutMs, findWorkTree(cwd), failed);
    if (finding.state === 'failed') return { ...finding, cwd, observedAt };
    if (finding.state === 'none') return { ...(await look(cwd, () => read.folder(cwd))), cwd };
    const { workTree } = finding;
    const key = `${workTree.root}\0${workTree.gitDir}`;
    return { ...(await look(key, () => read.workTree(workTree))), cwd };
  };

  return { sense: (cwds) => Promise.all([...new Set(cwds)].map(senseOne)) };
}

/** A file call on a dead network mount never returns. */
async function within<T>(timeoutMs: number, task: Promise<T>, late: (text: string) => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<T>((resolve) => {
    const text = `the file system gave no answer within ${timeoutMs} ms`;
    timer = setTimeout(() => resolve(late(text)), timeoutMs);
  });
  try {
    return await Promise.race([task, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

function failed(text: string) {
  return { state: 'failed', text } as const;
}
