import { readdirSync, type Stats } from 'node:fs';
import type { Process, ProcessMark, TerminalHolders } from '../../core/sight/process.ts';
import type { OpenFileSensor } from '../../ports/sensor.ts';
import { linkAt } from '../files/look.ts';
import type { LinuxProcessTable } from './linux-process-table.ts';
import { failure, statOf, statOpenDevice } from './proc-file.ts';

/**
 * Sees what processes have open, by the links of /proc/PID/fd. Only one's own processes can be read, and not all of these:
 * of another user's nothing is known, which is no failure.
 */
export function createLinuxOpenFiles(table: LinuxProcessTable): OpenFileSensor {
  const linksOf = (pid: number): LinksRead => {
    const folder = `${table.folder(pid)}/fd`;
    try {
      return {
        state: 'read',
        links: readdirSync(folder).map((name) => [name, linkAt(`${folder}/${name}`) ?? '']),
      };
    } catch (error) {
      const { state } = failure(error);
      return { state, isForbidden: FORBIDDEN.has((error as NodeJS.ErrnoException).code ?? '') };
    }
  };

  const areUsed = (process: Process, terminals: readonly Terminal[]): readonly Terminal[] | null => {
    const read = linksOf(process.pid);
    if (read.state !== 'read') return read.state === 'gone' || read.isForbidden ? [] : null;
    const used = new Set<Terminal>();
    for (const [descriptor, link] of read.links) {
      if (!TERMINAL.test(link)) continue;
      // Which terminal this was opened as is told by nothing once the process has left it.
      if (link === '/dev/tty' && process.ttyNumber === 0) for (const one of terminals) used.add(one);
      const found = statOpenDevice(table.folder(process.pid), descriptor);
      for (const one of terminals) if (found !== null && isSameFile(found, one.stat)) used.add(one);
    }
    return used.size > 0 && table.isStill(process) ? [...used] : [];
  };

  /** Those that read from a pipe and write to such a thing. */
  const talking = (processes: Iterable<ProcessMark>, to: RegExp): ReadonlySet<number> => {
    const found = new Set<number>();
    for (const process of processes) {
      const [input = '', output = ''] = [0, 1].map(
        (at) => linkAt(`${table.folder(process.pid)}/fd/${at}`) ?? '',
      );
      if (PIPE.test(input) && to.test(output) && table.isStill(process)) found.add(process.pid);
    }
    return found;
  };

  return {
    holdersOf(ttys, among) {
      const terminals = ttys.flatMap((tty) => {
        const stat = statOf(tty);
        return stat === null ? [] : [{ tty, stat }];
      });
      const byTty = new Map<string, Process[]>(terminals.map(({ tty }) => [tty, []]));
      let isComplete = true;
      if (terminals.length > 0) {
        for (const process of among) {
          const used = areUsed(process, terminals);
          if (used === null) isComplete = false;
          for (const { tty } of used ?? []) byTty.get(tty)?.push(process);
        }
      }
      return { byTty, isComplete } satisfies TerminalHolders;
    },
    pipedAmong: (processes) => talking(processes, PIPE),
    readersAmong: (processes) => talking(processes, /^\/(?!dev\/(?:pts|tty|console))/),
    keepTerminals(processes) {
      const found = new Map<number, boolean | null>();
      for (const process of processes) {
        const read = linksOf(process.pid);
        if (read.state === 'gone' || !table.isStill(process)) continue;
        const keeps = read.state === 'read' ? read.links.some(([, link]) => MASTER.test(link)) : null;
        found.set(process.pid, keeps);
      }
      return found;
    },
  };
}

interface Terminal {
  readonly tty: string;
  readonly stat: Stats;
}

type LinksRead =
  | { readonly state: 'read'; readonly links: readonly (readonly [descriptor: string, link: string])[] }
  | { readonly state: 'gone' | 'refused'; readonly isForbidden: boolean };

const FORBIDDEN: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);
// A terminal that was mounted elsewhere (the console of a container) is told by its number alone.
const TERMINAL = /^\/(?:dev\/(?:pts\/|tty|console)|\d+$)/;
const PIPE = /^(?:pipe|socket):\[/;
const MASTER = /\/ptmx$/;

// Several mounts of devpts have the same names and device numbers: the file itself has to be the same.
function isSameFile(one: Stats, other: Stats): boolean {
  return one.rdev === other.rdev && one.dev === other.dev && one.ino === other.ino;
}
