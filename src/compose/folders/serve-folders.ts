import { ownParent, serve } from '../../adapters/folders/serve.ts';
import { createProcessSensor } from '../../adapters/proc/process-sensor.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';
import { carefulFolders } from './careful-folders.ts';
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
