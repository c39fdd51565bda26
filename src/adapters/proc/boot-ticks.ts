import { readKernelUnits } from './kernel-units.ts';
import { readProcText } from './proc-file.ts';

/**
 * The clock of this boot, in the ticks in which the kernel counts starts of processes, rounded up: what starts later has a
 * greater mark. Null where it cannot be told: some containers have an uptime of their own beside the marks of the machine,
 * and then even this process seems to start later.
 */
export function readBootTicks(procRoot: string): number | null {
  const seconds = Number.parseFloat(readProcText(`${procRoot}/uptime`) ?? '');
  const stat = readProcText(`${procRoot}/self/stat`) ?? '';
  const started = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME]);
  const ticks = Math.ceil(seconds * readKernelUnits(procRoot).ticksPerSecond) + 1;
  return ticks >= started ? ticks : null;
}

// Counted from the state, the first field behind the name.
const START_TIME = 19;
