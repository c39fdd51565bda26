import { readdirSync } from 'node:fs';
import type { ProcessMark } from '../../core/sight/identity.ts';
import type { ProcessPlace } from '../../core/sight/marks.ts';
import type { DaemonSigns } from '../../core/verdict/keepers.ts';
import type { ProcessSensor } from '../../ports/sensor.ts';
import { linkAt } from '../files/look.ts';
import type { KernelUnits } from './kernel-units.ts';
import { createLinuxDetails } from './linux-details.ts';
import { createLinuxEnvironment, createLinuxMarkers } from './linux-markers.ts';
import { createLinuxOpenFiles } from './linux-open-files.ts';
import { createLinuxProcessTable, type LinuxProcessTable } from './linux-process-table.ts';
import { createLinuxSight } from './linux-sight.ts';
import { createMacosProcessSensor } from './macos-process-sensor.ts';
import { isListening } from './open-doors.ts';
import { readProcText } from './proc-file.ts';

/** Picks the process sensor of this platform: /proc, or ps where there is none. */
export function createProcessSensor(
  options: {
    readonly platform?: NodeJS.Platform;
    readonly procRoot?: string;
    readonly now?: () => number;
  } = {},
): ProcessSensor {
  const { platform = process.platform, ...rest } = options;
  return platform === 'darwin' ? createMacosProcessSensor(rest) : createLinuxProcessSensor(rest);
}

/** Sees processes through /proc: one cheap line for each, and more only for those that are asked for. */
export function createLinuxProcessSensor(
  options: { readonly procRoot?: string; readonly now?: () => number; readonly units?: KernelUnits } = {},
): ProcessSensor {
  const { procRoot = '/proc', now = Date.now } = options;
  const table = createLinuxProcessTable({ ...options, procRoot });
  const sight = createLinuxSight(procRoot, now);
  const details = createLinuxDetails({ procRoot, now, table });
  const markers = createLinuxMarkers(table, now);
  const environment = createLinuxEnvironment(table);
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
    otherPath: (process, paths) => sight.otherPath(process, paths),
    ...createLinuxOpenFiles(table),
  };
}

/** In which pid namespaces processes live, and under which numbers there: the last of `NSpid`. */
function readPlaces(procRoot: string, table: LinuxProcessTable, processes: Iterable<ProcessMark>) {
  const places = new Map<number, ProcessPlace>();
  for (const process of processes) {
    const { pid } = process;
    const link = linkAt(`${table.folder(pid)}/ns/pid`) ?? '';
    const pidNamespace = /^pid:\[(\d{1,20})\]$/.exec(link)?.[1];
    const status = readProcText(`${procRoot}/${pid}/status`) ?? '';
    const numbers = /^NSpid:\s+([\d\s]+)$/m.exec(status)?.[1]?.trim().split(/\s+/) ?? [];
    if (table.isStill(process) && pidNamespace !== undefined) {
      places.set(pid, { pidNamespace, pidInside: Number(numbers.at(-1) ?? pid) });
    }
  }
  return places;
}

// Either side of a terminal, and whatever the kernel calls one.
const TERMINAL = /^\/(?:dev\/(?:pts|tty|console|ptmx)|ptmx$|\d+$)/;

/** What processes show of being daemons: the program that the kernel started, an open terminal, a socket that listens. */
function readDaemonSigns(table: LinuxProcessTable, processes: Iterable<ProcessMark>) {
  const signs = new Map<number, DaemonSigns>();
  for (const process of processes) {
    const folder = table.folder(process.pid);
    const found = {
      executable: linkAt(`${folder}/exe`),
      hasTerminal: hasTerminal(folder),
      isListening: isListening(folder),
    };
    if (table.isStill(process)) signs.set(process.pid, found);
  }
  return signs;
}

function hasTerminal(process: string): boolean | null {
  const folder = `${process}/fd`;
  try {
    const links = readdirSync(folder).map((name) => linkAt(`${folder}/${name}`));
    // One that was closed meanwhile cannot be read any more, and one that is not ours cannot be read at all.
    return links.includes(null) ? null : links.some((link) => TERMINAL.test(link ?? ''));
  } catch {
    return null;
  }
}
