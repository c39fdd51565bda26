import type { Reading } from '../../pressure/reading.ts';
import { visible } from '../../text/visible.ts';
import type { FindingParts } from '../finding.ts';
import type { DoctorCheck } from './check.ts';

/** Whether memory pressure can be told at all: without stalls (PSI) only the amount of memory speaks. */
export const pressureSignals: DoctorCheck = {
  name: 'pressure-signals',
  group: 'machine',
  scope: 'machine',
  looksAt: 'what shows memory pressure: PSI, available memory, the system’s own level',
  examine: ({ machine: { readings } }) => {
    const host = readings.filter(({ scope }) => scope === 'host');
    const read = host.filter(({ state, signal }) => state === 'read' && signal !== 'swap');
    if (read.length === 0) return [blind(host)];
    const hasStalls = read.some(({ signal }) => STALLS.includes(signal) || signal === 'os-level');
    const stalls = host.filter(({ signal }) => STALLS.includes(signal));
    return [...(hasStalls ? [] : [withoutStalls(stalls)]), ...failed(readings)];
  },
};

const STALLS: readonly string[] = ['stall-some', 'stall-full'];

function blind(host: readonly Reading[]): FindingParts {
  return {
    class: 'no-signal',
    severity: 'warning',
    text: 'nothing shows memory pressure: the pressure reaper can never act',
    evidence: host.flatMap(whyNot),
    advice: ['see rollcall status'],
  };
}

function withoutStalls(stalls: readonly Reading[]): FindingParts {
  return {
    class: 'no-stalls',
    severity: 'info',
    text: 'the kernel does not tell how long processes wait for memory (PSI); available memory alone decides',
    evidence: [...new Set(stalls.flatMap(whyNot))],
    advice: ['start the kernel with psi=1, or one that has CONFIG_PSI'],
  };
}

function failed(readings: readonly Reading[]): FindingParts[] {
  const broken = readings.filter(({ state }) => state === 'failed');
  if (broken.length === 0) return [];
  return [
    {
      class: 'signal-failed',
      severity: 'warning',
      text: `${broken.length} of ${readings.length} readings of memory failed`,
      evidence: broken.flatMap(whyNot),
      advice: ['what cannot be read counts as unknown, never as no pressure'],
    },
  ];
}

function whyNot(reading: Reading): string[] {
  return reading.state === 'read' ? [] : [visible(`${reading.source}: ${reading.text}`, 200)];
}
