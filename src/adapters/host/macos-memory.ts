import type { HostMemory } from '../../core/sight/process.ts';
import type { RunCommand } from './read-text.ts';

/** Reads the memory of a Mac through `vm_stat`; null when it cannot be had. Untested on a real Mac. */
export function readMacosMemory(run: RunCommand): HostMemory | null {
  const printed = run('/usr/bin/vm_stat', []);
  const totalBytes = Number(run('/usr/sbin/sysctl', ['-n', 'hw.memsize']) ?? '');
  return printed === null ? null : parseVmStat(printed, totalBytes);
}

/**
 * Parses the output of `vm_stat`. macOS keeps few pages free on purpose, so pages that it gives back without asking
 * count as available; the printed free pages leave out the speculative ones.
 */
export function parseVmStat(text: string, totalBytes: number): HostMemory | null {
  const pageBytes = Number(/page size of (\d+) bytes/.exec(text)?.[1]);
  const pages = AVAILABLE_KINDS.map((kind) =>
    Number(new RegExp(`^Pages ${kind}:\\s+(\\d+)\\.$`, 'm').exec(text)?.[1] ?? Number.NaN),
  );
  const [free = Number.NaN, inactive = Number.NaN, ...lesser] = pages;
  if (!(totalBytes > 0) || !(pageBytes > 0) || Number.isNaN(free) || Number.isNaN(inactive)) return null;
  // Purgeable and speculative pages are missing from the output of older systems.
  const sum = lesser.reduce((total, count) => total + (count || 0), free + inactive);
  return { totalBytes, availableBytes: Math.min(totalBytes, sum * pageBytes), source: 'vm_stat' };
}

const AVAILABLE_KINDS = ['free', 'inactive', 'purgeable', 'speculative'] as const;
