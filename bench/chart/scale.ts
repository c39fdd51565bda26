/** An axis of a chart: what it measures and whether equal steps are equal sums or equal factors. */
export interface Axis {
  readonly label: string;
  readonly isLog: boolean;
}

/** Places of values on an axis, and the values that are marked on it. */
export interface Scale {
  readonly low: number;
  readonly ticks: readonly number[];
  /** From 0 at the beginning of the axis to 1 at its end; what lies outside is put at the nearer end. */
  at(value: number): number;
}

const STEPS = [1, 2, 5];

/** The scale for these values; its ends are round numbers, and a linear one begins at 0. Where many numbers would be marked, only powers of ten are. */
export function scaleFor(values: readonly number[], isLog: boolean, mostTicks = 9): Scale {
  const shown = values.filter((value) => Number.isFinite(value) && (!isLog || value > 0));
  if (shown.length === 0) return scaleOf([isLog ? 1 : 0, 10], isLog);
  const high = Math.max(...shown);
  if (!isLog) return scaleOf(linearTicks(high), isLog);
  const steps = roundNumbers(Math.min(...shown), high);
  const decades = steps.filter((value) => Number.isInteger(Math.log10(value)));
  return scaleOf(steps, isLog, steps.length <= mostTicks ? steps : decades);
}

/** A logarithmic scale marked at these values, such as the sizes that were measured. */
export function scaleAt(values: readonly number[]): Scale {
  return scaleOf(
    [...new Set(values)].sort((a, b) => a - b),
    true,
  );
}

function scaleOf(steps: readonly number[], isLog: boolean, ticks = steps): Scale {
  const place = (value: number) => (isLog ? Math.log10(value) : value);
  const [low = 1, high = 10] = [steps[0], steps.at(-1)];
  const [first, last] = [place(low), place(high)];
  const at = (value: number) => {
    if (last === first) return 0.5;
    return Math.min(1, Math.max(0, (place(value) - first) / (last - first)));
  };
  return { low, ticks, at };
}

/** The round numbers from the one below the lowest value to the one above the highest. */
function roundNumbers(low: number, high: number): number[] {
  const all: number[] = [];
  // One power lower: the logarithm of 9,999,999.99999999 is 7.
  for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const step of STEPS) all.push(Number((step * 10 ** power).toPrecision(3)));
  }
  const first = all.findLastIndex((value) => value <= low);
  const last = all.findIndex((value) => value >= high);
  return all.slice(first, Math.max(last, first + 1) + 1);
}

function linearTicks(high: number): number[] {
  const rough = Math.max(high, 1e-9) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((one) => one * power >= rough) ?? 10);
  return Array.from({ length: Math.ceil(high / step) + 1 }, (_, index) =>
    Number((index * step).toPrecision(6)),
  );
}

/** A number as an axis or a label shows it. */
export function shortNumber(value: number): string {
  if (value === 0) return '0';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return Number(value.toFixed(digits)).toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** Of the marked values, those whose numbers do not touch where each needs so much room; the last one is always there. */
export function spaced({ ticks }: Scale, place: (value: number) => number, room: number): number[] {
  const kept: number[] = [];
  for (const tick of ticks.toReversed()) {
    const before = kept.at(-1);
    if (before === undefined || place(before) - place(tick) >= room) kept.push(tick);
  }
  return kept;
}
