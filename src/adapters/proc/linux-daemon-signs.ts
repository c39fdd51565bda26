import { readdirSync } from 'node:fs';
import type { DaemonSigns } from '../../core/verdict/keepers.ts';
import type { LinuxProcessTable } from './linux-process-table.ts';
import { isListening } from './listening.ts';
import { readProcLink } from './proc-file.ts';

interface Identity {
  readonly pid: number;
  readonly startTicks: number;
}

// Either side of a terminal, and whatever the kernel calls one.
const TERMINAL = /^\/(?:dev\/(?:pts|tty|console|ptmx)|ptmx$|\d+$)/;

/** What processes show of being daemons: the program that the kernel started, an open terminal, a socket that listens. */
export function readDaemonSigns(
  table: Pick<LinuxProcessTable, 'senseOne' | 'folder'>,
  processes: Iterable<Identity>,
): Map<number, DaemonSigns> {
  const signs = new Map<number, DaemonSigns>();
  for (const { pid, startTicks } of processes) {
    const folder = table.folder(pid);
    const found = {
      executable: readProcLink(`${folder}/exe`),
      hasTerminal: hasTerminal(folder),
      isListening: isListening(folder),
    };
    const read = table.senseOne(pid);
    if (read.state === 'read' && read.process.startTicks === startTicks) signs.set(pid, found);
  }
  return signs;
}

function hasTerminal(process: string): boolean | null {
  const folder = `${process}/fd`;
  try {
    const links = readdirSync(folder).map((name) => readProcLink(`${folder}/${name}`));
    // One that was closed meanwhile cannot be read any more, and one that is not ours cannot be read at all.
    return links.includes(null) ? null : links.some((link) => TERMINAL.test(link ?? ''));
  } catch {
    return null;
  }
}
