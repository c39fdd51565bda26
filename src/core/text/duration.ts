const UNITS: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** A duration as a person says it: one unit, rounded down, so that nothing looks older than it is. */
export function spoken(durationMs: number): string {
  for (const [unitMs, name] of UNITS) {
    if (durationMs >= unitMs) return `${Math.floor(durationMs / unitMs)} ${name}`;
  }
  return 'under 1 s';
}
