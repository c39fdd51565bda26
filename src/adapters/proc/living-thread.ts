import { namesIn, statFields } from '../files/look.ts';

/** What is left of a process whose first thread has ended. */
export interface LivingThread {
  /** Tells what /proc/PID does not tell any more: arguments, environment, folder, descriptors. */
  readonly folder: string;
  /** That of the busiest one. */
  readonly state: string;
}

/** Looks for a living thread besides the first one; null where there is none, or none can be read. */
export function livingThread(procRoot: string, pid: number): LivingThread | null {
  const tasks = `${procRoot}/${pid}/task`;
  const living = namesIn(tasks).flatMap((thread) => {
    const folder = `${tasks}/${thread}`;
    const state = thread === String(pid) ? '' : (statFields(`${folder}/stat`)?.[0] ?? '');
    return state === '' || ENDED.has(state) ? [] : [{ folder, state }];
  });
  const [first] = living;
  if (first === undefined) return null;
  const busiest = living.find(({ state }) => state === 'R' || state === 'D') ?? first;
  // The same one at every look, whichever is busy: what was read of it is compared.
  return { folder: first.folder, state: busiest.state };
}

const ENDED: ReadonlySet<string> = new Set(['Z', 'X', 'x']);
