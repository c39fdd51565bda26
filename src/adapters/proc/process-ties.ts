import { readdirSync } from 'node:fs';
import type { ThreadRest } from '../../core/doctor/rest.ts';
import type { ProcessTies } from '../../ports/sensor.ts';
import { createLinuxProcessTable } from './linux-process-table.ts';
import { readTies } from './linux-ties.ts';
import { readProcText } from './proc-file.ts';

/** Sees through /proc who can talk to a process. Without one nothing is known: then nothing is proven to be left over. */
export function createProcessTies(
  options: { readonly platform?: NodeJS.Platform; readonly procRoot?: string } = {},
): ProcessTies {
  const { platform = process.platform, procRoot = '/proc' } = options;
  if (platform === 'darwin') {
    return {
      tiesOf: (processes) => new Map([...processes].map(({ pid }) => [pid, null])),
      restOf: () => new Map(),
    };
  }
  const table = createLinuxProcessTable({ procRoot });
  return {
    tiesOf(processes) {
      const all = [...processes];
      const pids = all.map(({ pid }) => pid);
      const ties = readTies(procRoot, pids);
      return new Map(all.filter(table.isStill).map(({ pid }) => [pid, ties.get(pid) ?? null]));
    },
    restOf(processes) {
      const found = [...processes].map((one) => [one, readRest(procRoot, one.pid)] as const);
      return new Map(
        found.flatMap(([one, rest]) => (rest !== null && table.isStill(one) ? [[one.pid, rest]] : [])),
      );
    },
  };
}

/** How all threads of a process stand; null where one of them cannot be read. */
function readRest(procRoot: string, pid: number): ThreadRest | null {
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
