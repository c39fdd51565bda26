import type { Reading } from '../../core/pressure/reading.ts';
import type { PressureSensor } from '../../ports/pressure.ts';
import type { HostSources } from './host-sensor.ts';
import { amountsOf, meminfoFields, memoryIn } from './linux-memory.ts';
import { readMacosPressure } from './macos-memory.ts';
import { readCgroupPressure, readStalls } from './pressure-cgroup.ts';
import { runCommand, seekText } from './read-text.ts';

/** Reads what tells about memory pressure. Load is never asked: a busy machine may have memory to spare. */
export function createPressureSensor(
  options: Partial<Pick<HostSources, 'platform' | 'procRoot' | 'sysRoot' | 'now' | 'run'>> = {},
): PressureSensor {
  const { platform = process.platform, procRoot = '/proc', sysRoot = '/sys' } = options;
  const { now = Date.now, run = runCommand } = options;
  return {
    sense(holders) {
      const observedAt = now();
      if (platform === 'darwin') return readMacosPressure(run, observedAt);
      const stalls = readStalls(`${procRoot}/pressure/memory`, { ...HOST, observedAt });
      const { readings, hostBytes } = readMeminfo(`${procRoot}/meminfo`, observedAt);
      const hasHostStalls = stalls.some(({ state }) => state === 'read');
      const sight = { procRoot, sysRoot, observedAt, hostBytes, hasHostStalls };
      return [...stalls, ...readings, ...readCgroupPressure(holders, sight)];
    },
  };
}

const HOST = { scope: 'host', holders: [] } as const;

function readMeminfo(file: string, observedAt: number): { readings: Reading[]; hostBytes: number | null } {
  const found = seekText(file);
  const fields = meminfoFields(found.state === 'read' ? found.text : '');
  const memory = memoryIn(fields);
  const base = { ...HOST, source: file, observedAt };
  const why =
    found.state === 'read'
      ? ({ state: 'failed', text: 'it does not say how much is available' } as const)
      : ({ state: found.state, text: found.text } as const);
  const available: Reading =
    memory === null
      ? { ...base, signal: 'available', ...why }
      : { ...base, signal: 'available', note: memory.source, ...amountsOf(memory) };
  return { readings: [available, swapReading(fields, base)], hostBytes: memory?.totalBytes ?? null };
}

function swapReading(
  fields: ReadonlyMap<string, number>,
  base: Pick<Reading, 'scope' | 'holders' | 'source' | 'observedAt'>,
): Reading {
  const totalBytes = fields.get('SwapTotal');
  const value = fields.get('SwapFree');
  if (totalBytes === 0) return { ...base, signal: 'swap', state: 'absent', text: 'there is none' };
  return totalBytes === undefined || value === undefined
    ? { ...base, signal: 'swap', state: 'failed', text: 'it does not say' }
    : { ...base, signal: 'swap', state: 'read', value, totalBytes };
}
