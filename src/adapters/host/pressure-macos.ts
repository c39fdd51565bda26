import type { Reading } from '../../core/pressure/reading.ts';
import { visible } from '../../core/text/visible.ts';
import { readMacosMemory } from './macos-memory.ts';
import type { RunCommand } from './read-text.ts';

const SYSCTL = '/usr/sbin/sysctl';
const LEVEL = 'kern.memorystatus_vm_pressure_level';
const SWAP = 'vm.swapusage';

/** What a Mac says about its memory: its own pressure level first. Untested on a real Mac. */
export function readMacosPressure(run: RunCommand, observedAt: number): Reading[] {
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
      : {
          ...{ ...told, signal: 'available', source: memory.source, state: 'read' },
          ...{ value: memory.availableBytes, totalBytes: memory.totalBytes },
        },
    swapReading(run(SYSCTL, ['-n', SWAP]) ?? '', told),
  ];
}

// total = 2048.00M  used = 1023.25M  free = 1024.75M  (encrypted)
function swapReading(text: string, told: Pick<Reading, 'scope' | 'holders' | 'observedAt'>): Reading {
  const base = { ...told, signal: 'swap' as const, source: `sysctl ${SWAP}` };
  const [total, free] = ['total', 'free'].map((name) => {
    const amount = new RegExp(`\\b${name} = (\\d+\\.\\d+)M`).exec(text)?.[1];
    return amount === undefined ? null : Math.round(Number(amount) * 1024 ** 2);
  });
  if (typeof total !== 'number' || typeof free !== 'number') {
    return { ...base, state: 'failed', text: `it is not understood: ${visible(text, 80)}` };
  }
  // Made as it is needed: a Mac that never swapped has none.
  if (total === 0) return { ...base, state: 'absent', text: 'none is in use' };
  return { ...base, state: 'read', value: free, totalBytes: total };
}
