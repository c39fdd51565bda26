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

const WRITTEN_UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

/** Reads '45m', '1.5h', '500ms' …; null for anything else, also for a number without a unit. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,6})?)(ms|s|m|h|d)$/.exec(text.trim());
  const unitMs = WRITTEN_UNITS.find(([unit]) => unit === match?.[2])?.[1];
  if (match === null || unitMs === undefined) return null;
  return Math.round(Number(match[1]) * unitMs);
}

/** Writes a duration as a file would: in the largest unit that needs no fraction. */
export function formatDuration(durationMs: number): string {
  const [unit, unitMs] = WRITTEN_UNITS.find(([, ms]) => durationMs >= ms && durationMs % ms === 0) ?? [
    's',
    1000,
  ];
  return `${durationMs / unitMs}${unit}`;
}
