import { stat } from 'node:fs/promises';
import { createPatience } from '../../adapters/files/patience.ts';
import { ownParent, serve } from '../../adapters/folders/serve.ts';
import { createProcessSensor } from '../../adapters/proc/process-sensor.ts';
import { homesIn } from '../../core/agent/homes.ts';
import type { Folders } from '../../ports/folders.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';
import { type FolderLimits, folderTasks } from './tasks.ts';

/** Looks at folders for the rollcall that started this process, until that ends. False where nobody did. */
export function serveFolders(env: NodeJS.ProcessEnv, words: string | undefined): boolean {
  const parent = ownParent(process);
  if (parent === null) return false;
  const environmentOf = environments();
  const tasks = folderTasks(env, JSON.parse(words ?? '') as FolderLimits, environmentOf);
  serve({ ...carefulFolders(tasks, environmentOf) }, parent);
  return true;
}

/** Agents come and go while a daemon runs, and nobody here looks at who is still there. */
const MOST_READ = 5000;

function environments(): ProcessSensor['environment'] {
  let sensor = createProcessSensor({ now: Date.now });
  let count = 0;
  return (process) => {
    count += 1;
    if (count % MOST_READ === 0) sensor = createProcessSensor({ now: Date.now });
    return sensor.environment(process);
  };
}

/** A folder that answers does so at once; a sleeping disk takes longer, and is asked again at the next look. */
export const FOLDER_MS = 1000;
/** Sessions share homes and projects: what has just answered is not asked again. */
const FRESH_MS = 500;
const MOST_KEPT = 4000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Asks each folder for a sign of life before anything else touches it. This waits in a thread: what is dead costs its own
 * question, and the process goes on with all others. Only what dies a moment later, or hides behind a link, still holds it up.
 */
export function carefulFolders(
  inner: Folders,
  environmentOf: (process: { readonly pid: number; readonly startTicks: number }) => Environment | null,
): Folders {
  const within = createPatience();
  const fresh = new Map<string, number>();
  const answers = async (path: string): Promise<void> => {
    const at = fresh.get(path);
    if (at !== undefined && performance.now() - at < FRESH_MS) return;
    const work = () => stat(path).then(noted, noted);
    const problem = await within<string | null>(path, FOLDER_MS, work, (text) => text);
    if (problem !== null) throw new Error(problem);
    if (fresh.size >= MOST_KEPT) fresh.clear();
    fresh.set(path, performance.now());
  };
  const asked =
    <W extends readonly unknown[], T>(task: (path: string, ...words: W) => Promise<T>) =>
    async (path: string, ...words: W): Promise<T> => {
      await answers(path);
      return task(path, ...words);
    };
  return {
    git: asked(inner.git),
    branchAt: asked(inner.branchAt),
    treeState: asked(inner.treeState),
    rootAround: asked(inner.rootAround),
    isFolder: asked(inner.isFolder),
    problemOf: asked(inner.problemOf),
    isGone: asked(inner.isGone),
    fileIn: asked(inner.fileIn),
    boxesIn: asked(inner.boxesIn),
    async hear(kind, scene, hooks) {
      const { agent } = scene;
      const homes = homesIn(environmentOf(agent) ?? {});
      await Promise.all([...(agent.cwd === undefined ? [] : [agent.cwd]), ...homes].map(answers));
      return inner.hear(kind, scene, hooks);
    },
    async todoOf(kind, stop) {
      const told = stop.transcript === null ? [] : [stop.transcript];
      await Promise.all([...homesIn(stop.env), ...told].map(answers));
      return inner.todoOf(kind, stop);
    },
  };
}

// Whatever it says, it answers.
const noted = (): null => null;
