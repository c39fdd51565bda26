import { statFields } from '../files/look.ts';

/** Linux counts a process's ended children in hundredths of a second, on every machine. */
const TICK_MS = 10;

/** CPU time of this process and, where the system tells it, of its ended children. */
export function cpuTimeMs(): number {
  return ownCpuMs() + childrenMs();
}

/** CPU time of this process alone. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function childrenMs(): number {
  const fields = statFields('/proc/self/stat');
  return fields === null ? 0 : (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
