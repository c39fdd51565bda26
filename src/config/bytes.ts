const UNITS: readonly (readonly [string, number])[] = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
  ['B', 1],
];

/** Reads '256KiB', '1.5 MiB' …; null for anything else. Powers of 1024 only, so that nobody has to guess. */
export function parseBytes(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,6})?) ?(B|KiB|MiB|GiB)$/.exec(text.trim());
  const unitBytes = UNITS.find(([unit]) => unit === match?.[2])?.[1];
  if (match === null || unitBytes === undefined) return null;
  return Math.round(Number(match[1]) * unitBytes);
}

/** Writes a size as a file would: in the largest unit that needs no fraction. */
export function formatBytes(bytes: number): string {
  const [unit, unitBytes] = UNITS.find(([, size]) => bytes >= size && bytes % size === 0) ?? ['B', 1];
  return `${bytes / unitBytes}${unit}`;
}
