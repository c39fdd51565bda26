import type { ProcessPlace } from '../../core/marks.ts';
import type { LinuxProcessTable } from './linux-process-table.ts';
import { readProcLink, readProcText } from './proc-file.ts';

interface Identity {
  readonly pid: number;
  readonly startTicks: number;
}

/** In which pid namespaces processes live, and under which numbers there: the last of `NSpid`. */
export function readPlaces(
  procRoot: string,
  table: Pick<LinuxProcessTable, 'senseOne' | 'folder'>,
  processes: Iterable<Identity>,
): Map<number, ProcessPlace> {
  const places = new Map<number, ProcessPlace>();
  for (const { pid, startTicks } of processes) {
    const link = readProcLink(`${table.folder(pid)}/ns/pid`) ?? '';
    const pidNamespace = /^pid:\[(\d{1,20})\]$/.exec(link)?.[1];
    const status = readProcText(`${procRoot}/${pid}/status`) ?? '';
    const numbers = /^NSpid:\s+([\d\s]+)$/m.exec(status)?.[1]?.trim().split(/\s+/) ?? [];
    const read = table.senseOne(pid);
    const isSame = read.state === 'read' && read.process.startTicks === startTicks;
    if (pidNamespace !== undefined && isSame) {
      places.set(pid, { pidNamespace, pidInside: Number(numbers.at(-1) ?? pid) });
    }
  }
  return places;
}
