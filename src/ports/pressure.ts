import type { PressureMemory } from '../core/pressure/memory.ts';
import type { Reading } from '../core/pressure/reading.ts';

/** A process whose cgroups are of interest, with the words by which people know it. */
export interface MemoryHolder {
  readonly pid: number;
  /** With the pid, which process it was; whatever has the pid now where it is not known. */
  readonly startTicks?: number;
  readonly name: string;
}

/** Reads everything that tells about memory pressure: of the machine, of rollcall's own cgroups, and of these processes. */
export interface PressureSensor {
  /** One reading for each signal and scope; what cannot be had is a reading too. */
  sense(holders: readonly MemoryHolder[]): readonly Reading[];
}

/** Keeps what earlier looks at the pressure saw. Losing it costs durations, never safety. */
export interface PressureStore {
  load(): { readonly value: PressureMemory | null; readonly problem?: string };
  /** Returns a problem in words, or null. */
  save(value: PressureMemory): string | null;
}
