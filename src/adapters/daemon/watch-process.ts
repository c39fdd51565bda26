import { namesIn, statFields } from '../files/look.ts';
import { isRunning } from '../programs/is-running.ts';

/** Tells what keeps a process from being gone; null once it is. */
export type ProcessRest = () => string | null;

/** Watches the process that has this number now; another one that gets the number later is not it. */
export function watchProcess(pid: number, procRoot = '/proc'): ProcessRest {
  const isTold = statOf(`${procRoot}/self`) !== null;
  if (!isTold) return () => (isRunning(pid) ? 'it still runs' : null);
  const startTicks = statOf(`${procRoot}/${pid}`)?.startTicks ?? null;
  return () => {
    const now = statOf(`${procRoot}/${pid}`);
    if (now === null || now.startTicks !== startTicks) return null;
    return restOf(`${procRoot}/${pid}/task`, now.state);
  };
}

// A thread that the kernel does not let go keeps the whole process, though its first thread has ended.
function restOf(folder: string, state: string): string | null {
  const states = namesIn(folder).map((thread) => statOf(`${folder}/${thread}`)?.state ?? 'X');
  if (states.includes('D')) return 'a file system or a device that gives no answer holds it';
  const isOver = [state, ...states].every((each) => each === 'Z' || each === 'X');
  return isOver ? null : 'it still runs';
}

function statOf(folder: string): { readonly state: string; readonly startTicks: number } | null {
  const fields = statFields(`${folder}/stat`);
  return fields && { state: fields[0] ?? '', startTicks: Number(fields[19]) };
}
