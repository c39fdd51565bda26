import { endianness } from 'node:os';
import { statFields, uptimeAt } from '../files/look.ts';
import { readProcFile } from './proc-file.ts';

/** In which units /proc/<pid>/stat counts time and memory. */
export interface KernelUnits {
  readonly ticksPerSecond: number;
  readonly pageBytes: number;
}

/**
 * Reads the units from the auxiliary vector that the kernel handed to this process: arm64 and ppc64 kernels come
 * with pages of 4, 16 or 64 KiB, and asking `getconf` would cost a fork.
 */
export function readKernelUnits(procRoot: string, arch: string = process.arch): KernelUnits {
  const read = readProcFile(`${procRoot}/self/auxv`);
  const vector = read.state === 'read' ? parseAuxiliaryVector(read.bytes, arch) : new Map<number, number>();
  return {
    ticksPerSecond: vector.get(AT_CLKTCK) || 100,
    pageBytes: vector.get(AT_PAGESZ) || 4096,
  };
}

const AT_PAGESZ = 6;
const AT_CLKTCK = 17;
const ARCHS_OF_32_BITS: ReadonlySet<string> = new Set(['arm', 'ia32', 'mips', 'mipsel', 'ppc', 's390']);

function parseAuxiliaryVector(bytes: Buffer, arch: string): Map<number, number> {
  const word = ARCHS_OF_32_BITS.has(arch) ? 4 : 8;
  const isLittle = endianness() === 'LE';
  // Both values sought fit in the low 32 bits; addresses beside them do not and are not wanted.
  const low = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at + word - 4));
  const vector = new Map<number, number>();
  for (let at = 0; at + 2 * word <= bytes.length; at += 2 * word) vector.set(low(at), low(at + word));
  return vector;
}

/**
 * The clock of this boot, in the ticks in which the kernel counts starts of processes, rounded up: what starts later has a
 * greater mark. Null where it cannot be told: some containers have an uptime of their own beside the marks of the machine,
 * and then even this process seems to start later.
 */
export function readBootTicks(procRoot: string): number | null {
  const seconds = uptimeAt(`${procRoot}/uptime`);
  const started = Number(statFields(`${procRoot}/self/stat`)?.[START_TIME]);
  const ticks = Math.ceil(seconds * readKernelUnits(procRoot).ticksPerSecond) + 1;
  return ticks >= started ? ticks : null;
}

// Counted from the state, the first field behind the name.
const START_TIME = 19;
