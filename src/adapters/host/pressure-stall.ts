import type { Reading } from '../../core/pressure/reading.ts';
import { visible } from '../../core/text/visible.ts';
import { seekText } from './read-text.ts';

type Told = Pick<Reading, 'scope' | 'holders' | 'observedAt'>;

/** Both lines of a PSI file: the share of the time in which some or all processes waited for memory. */
export function readStalls(file: string, told: Told): Reading[] {
  const found = seekText(file);
  const source = visible(file);
  return (['some', 'full'] as const).map((kind) => {
    const base = { ...told, signal: `stall-${kind}` as const, source };
    if (found.state !== 'read') return { ...base, state: found.state, text: visible(found.text, 200) };
    const stall = parseStall(found.text, kind);
    if (stall === null) {
      const text = `it does not say how much '${kind}' waited: ${visible(found.text, 80)}`;
      return { ...base, state: 'failed', text };
    }
    return { ...base, state: 'read', ...stall };
  });
}

const LINE = /^(some|full) avg10=(\d+\.\d+) avg60=(\d+\.\d+) avg300=(\d+\.\d+) total=(\d+)$/gm;
const OVER_MS = [10_000, 60_000, 300_000] as const;

// Documentation/accounting/psi.rst: percent, and the total in microseconds.
function parseStall(text: string, kind: 'some' | 'full') {
  for (const [, found, ...numbers] of text.matchAll(LINE)) {
    if (found !== kind) continue;
    const averages = OVER_MS.map((overMs, index) => ({ overMs, value: Number(numbers[index]) }));
    if (averages.some(({ value }) => value > 100)) return null;
    const value = Number(numbers[0]);
    return { value, averages, note: `${Math.round(Number(numbers[3]) / 1000)} ms since boot` };
  }
  return null;
}
