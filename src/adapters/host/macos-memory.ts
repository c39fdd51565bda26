import type { Reading } from '../../core/pressure/reading.ts';
import type { HostMemory } from '../../core/sight/process.ts';
import { visible } from '../../core/text/visible.ts';
import { amountsOf } from './linux-memory.ts';
import type { ReadCommand } from './read-text.ts';

/** Reads the memory of a Mac through `vm_stat`; null when it cannot be had. Untested on a real Mac. */
export function readMacosMemory(run: ReadCommand): HostMemory | null {
  const printed = run('/usr/bin/vm_stat', []);
  const totalBytes = Number(run('/usr/sbin/sysctl', ['-n', 'hw.memsize']) ?? '');
  return printed === null ? null : parseVmStat(printed, totalBytes);
}

/**
 * Parses the output of `vm_stat`. macOS keeps few pages free on purpose, so pages that it gives back without asking
 * count as available; the printed free pages leave out the speculative ones.
 */
export function parseVmStat(text: string, totalBytes: number): HostMemory | null {
  const pageBytes = Number(/page size of (\d{1,9}) bytes/.exec(text)?.[1]);
  const pages = AVAILABLE_KINDS.map((kind) =>
    Number(new RegExp(`^Pages ${kind}: +(\\d{1,15})\\.$`, 'm').exec(text)?.[1] ?? Number.NaN),
  );
  const [free = Number.NaN, inactive = Number.NaN, ...lesser] = pages;
  if (
    !Number.isSafeInteger(totalBytes) ||
    !(totalBytes > 0) ||
    !(pageBytes > 0) ||
    Number.isNaN(free) ||
    Number.isNaN(inactive)
  )
    return null;
  // Purgeable and speculative pages are missing from the output of older systems.
  const sum = lesser.reduce((total, count) => total + (count || 0), free + inactive);
  return { totalBytes, availableBytes: Math.min(totalBytes, sum * pageBytes), source: 'vm_stat' };
}

const AVAILABLE_KINDS = ['free', 'inactive', 'purgeable', 'speculative'] as const;

const SYSCTL = '/usr/sbin/sysctl';
const LEVEL = 'kern.memorystatus_vm_pressure_level';
const SWAP = 'vm.swapusage';

/** What a Mac says about its memory: its own pressure level first. Untested on a real Mac. */
export function readMacosPressure(run: ReadCommand, observedAt: number): Reading[] {
  const told = { scope: 'host', holders: [], observedAt };
  const level = Number(run(SYSCTL, ['-n', LEVEL])?.trim() || Number.NaN);
  const memory = readMacosMemory(run);
  const source = `sysctl ${LEVEL}`;
  return [
    [1, 2, 4].includes(level)
      ? { ...told, signal: 'os-level', source, state: 'read', value: level }
      : { ...told, signal: 'os-level', source, state: 'failed', text: 'it gives no level that is known' },
    memory === null
      ? { ...told, signal: 'available', source: 'vm_stat', state: 'failed', text: 'it is not understood' }
      : { ...told, signal: 'available', source: memory.source, ...amountsOf(memory) },
    swapReading(run(SYSCTL, ['-n', SWAP]) ?? '', told),
  ];
}

// total = 2048.00M  used = 1023.25M  free = 1024.75M  (encrypted)
function swapReading(text: string, told: Pick<Reading, 'scope' | 'holders' | 'observedAt'>): Reading {
  const base = { ...told, signal: 'swap' as const, source: `sysctl ${SWAP}` };
  const [total, free] = ['total', 'free'].map((name) => {
    const amount = new RegExp(`\\b${name} = (\\d{1,12}\\.\\d{1,6})M`).exec(text)?.[1];
    return amount === undefined ? null : Math.round(Number(amount) * 1024 ** 2);
  });
  if (typeof total !== 'number' || typeof free !== 'number') {
    return { ...base, state: 'failed', text: `it is not understood: ${visible(text, 80)}` };
  }
  // Made as it is needed: a Mac that never swapped has none.
  if (total === 0) return { ...base, state: 'absent', text: 'none is in use' };
  return { ...base, state: 'read', value: free, totalBytes: total };
}
