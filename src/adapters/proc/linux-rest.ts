import { readdirSync } from 'node:fs';
import type { Rest } from '../../core/doctor/rest.ts';
import { readProcText } from './proc-file.ts';

/** How all threads of a process stand; null where one of them cannot be read. */
export function readRest(procRoot: string, pid: number): Rest | null {
  const folder = `${procRoot}/${pid}/task`;
  let threads: string[];
  try {
    threads = readdirSync(folder);
  } catch {
    return null;
  }
  const found = threads.map((thread) => ({
    status: readProcText(`${folder}/${thread}/status`),
    place: readProcText(`${folder}/${thread}/wchan`) ?? '',
  }));
  const states = found.map(({ status }) => /^State:\t(\S)/m.exec(status ?? '')?.[1]);
  const tracers = found.map(({ status }) => /^TracerPid:\t(\d+)$/m.exec(status ?? '')?.[1]);
  if (found.length === 0 || states.includes(undefined) || tracers.includes(undefined)) return null;
  return {
    states: states.join(''),
    isTraced: tracers.some((tracer) => tracer !== '0'),
    // A frozen cgroup (v2) leaves its tasks asleep, in this place.
    isFrozen: found.some(({ place }) => place.includes('freezer')),
  };
}
