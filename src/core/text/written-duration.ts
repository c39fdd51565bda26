const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

/** Reads '45m', '1.5h', '500ms' …; null for anything else, also for a number without a unit. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,6})?)(ms|s|m|h|d)$/.exec(text.trim());
  const unitMs = UNITS.find(([unit]) => unit === match?.[2])?.[1];
  if (match === null || unitMs === undefined) return null;
  return Math.round(Number(match[1]) * unitMs);
}

/** Writes a duration as a file would: in the largest unit that needs no fraction. */
export function formatDuration(durationMs: number): string {
  const [unit, unitMs] = UNITS.find(([, ms]) => durationMs >= ms && durationMs % ms === 0) ?? ['s', 1000];
  return `${durationMs / unitMs}${unit}`;
}
