import { type ChildProcess, spawn as nodeSpawn, type SpawnOptions } from 'node:child_process';
import type { GitSighting } from '../../core/sight/sighting.ts';
import { createTurns } from '../../core/take-turns.ts';
import type { GitSensor } from '../../ports/sensor.ts';
import { createPatience, noAnswerText } from '../files/patience.ts';
import type { Spawn } from '../programs/run-program.ts';
import { findWorkTree, type WorkTreeFinding } from './find-work-tree.ts';
import type { WorkTreeSighting } from './read-below.ts';
import { createWorkTreeReader, type Recall } from './read-work-tree.ts';

/** Long enough to hear that a killed process has ended. */
const ENDING_MS = 200;

/** Watches the gits that are started through it. The work tree is told from their own `-C`. */
function watchGits(spawn: Spawn = nodeSpawn, now: () => number = () => performance.now()) {
  const running = new Map<ChildProcess, { readonly root: string; killedAt: number | null }>();
  return {
    spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
      const child = spawn(command, args, options);
      const git = { root: args[args.indexOf('-C') + 1] ?? '', killedAt: null as number | null };
      running.set(child, git);
      const ended = () => running.delete(child);
      child.once('exit', ended).once('error', ended);
      // Its reader hangs up when it has waited long enough, and kills it.
      child.stdout?.once('close', () => {
        git.killedAt = now();
      });
      return child;
    },
    /** Whether one that was told to end still stands in a work tree, or below it: a mount that gives no answer holds it. */
    isHeldIn: (root: string) =>
      [...running.values()].some(
        (git) =>
          `${git.root}/`.startsWith(`${root}/`) && git.killedAt !== null && now() - git.killedAt > ENDING_MS,
      ),
  };
}

export interface GitSensorOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Wall clock, epoch ms. */
  readonly now: () => number;
  /** For each of config, status and history, however many calls they take: a big tree on a slow disk answers in 3 s. */
  readonly timeoutMs?: number;
  /** For finding the work tree around a folder; as long as `timeoutMs` unless told. */
  readonly folderMs?: number;
  /** For everything about one work tree together. */
  readonly limitMs?: number;
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
  const { env, now, timeoutMs = 3000, maxParallel = 4, cache = new Map() } = options;
  const { folderMs = timeoutMs, limitMs = 4 * timeoutMs } = options;
  const gits = watchGits(options.spawn);
  const read = createWorkTreeReader({ env, timeoutMs, spawn: gits.spawn }, now, cache);
  const takeTurn = createTurns(maxParallel);
  const within = createPatience();
  const underWay = new Map<string, Promise<WorkTreeSighting>>();

  const look = (key: string, root: string, task: () => Promise<WorkTreeSighting>) => {
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const sighting = takeTurn(async () => {
      const late = { observedAt: now() };
      // A git that nothing could end is still held there, and so would be the next one.
      if (gits.isHeldIn(root)) return { ...failed(noAnswerText(limitMs)), ...late };
      return within<WorkTreeSighting>(key, limitMs, task, (text) => ({ ...failed(text), ...late }));
    }).finally(() => underWay.delete(key));
    underWay.set(key, sighting);
    return sighting;
  };

  const senseOne = async (cwd: string, isFresh: boolean): Promise<GitSighting> => {
    // One that trusts nothing does not wait for one that does.
    const mark = isFresh ? '\0fresh' : '';
    const observedAt = now();
    const finding = await within<WorkTreeFinding>(cwd, folderMs, () => findWorkTree(cwd), failed);
    if (finding.state === 'failed') return { ...finding, cwd, observedAt };
    if (finding.state === 'none') {
      return { ...(await look(`${cwd}${mark}`, cwd, () => read.folder(cwd, isFresh))), cwd };
    }
    const { workTree } = finding;
    const key = `${workTree.root}\0${workTree.gitDir}${mark}`;
    return { ...(await look(key, workTree.root, () => read.workTree(workTree, isFresh))), cwd };
  };

  return {
    sense: (cwds, isFresh = false) => Promise.all([...new Set(cwds)].map((cwd) => senseOne(cwd, isFresh))),
  };
}

function failed(text: string) {
  return { state: 'failed', text } as const;
}
