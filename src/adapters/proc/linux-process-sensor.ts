import type { ProcessDetails } from '../../core/process.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';
import { type KernelUnits, readKernelUnits } from './kernel-units.ts';
import { readDaemonSigns } from './linux-daemon-signs.ts';
import { createLinuxDetails, type DetailNeeds } from './linux-details.ts';
import { createLinuxEnvironment } from './linux-environment.ts';
import { createLinuxMarkers } from './linux-markers.ts';
import { createLinuxOpenFiles } from './linux-open-files.ts';
import { readPlaces } from './linux-places.ts';
import { createLinuxProcessTable } from './linux-process-table.ts';
import { createLinuxSight } from './linux-sight.ts';

/** The port, with a say in which of the dearer details are read. */
export interface DetailedProcessSensor extends ProcessSensor {
  details(
    processes: Iterable<{ readonly pid: number; readonly startTicks: number }>,
    needs?: DetailNeeds,
  ): Map<number, ProcessDetails>;
}

/** Sees processes through /proc: one cheap line for each, and more only for those that are asked for. */
export function createLinuxProcessSensor(
  options: { readonly procRoot?: string; readonly now?: () => number; readonly units?: KernelUnits } = {},
): DetailedProcessSensor {
  const { procRoot = '/proc', now = Date.now } = options;
  const units = options.units ?? readKernelUnits(procRoot);
  const table = createLinuxProcessTable({ procRoot, now, units });
  const sight = createLinuxSight(procRoot);
  const details = createLinuxDetails({ procRoot, now, table });
  const markers = createLinuxMarkers({ now, table });
  const environment = createLinuxEnvironment({ table });
  return {
    sense() {
      const sensed = table.sense();
      details.take(sensed);
      markers.take(sensed);
      environment.take(sensed);
      return sensed;
    },
    details: (processes, needs = {}) => details.read(processes, needs),
    markers: (processes) => markers.read(processes),
    daemonSigns: (processes) => readDaemonSigns(table, processes),
    placesOf: (processes) => readPlaces(procRoot, table, processes),
    environment: (process) => environment.read(process),
    standsAt: ({ pid }, path) => sight.standsAt(pid, path),
    otherPath: ({ pid }, paths) => sight.otherPath(pid, paths),
    ...createLinuxOpenFiles({ table }),
  };
}
