/** Versions that something was verified on, both ends included. */
export interface VersionRange {
  readonly from: string;
  readonly to: string;
}

/** Whether a version lies in the range. One that is not known, or not made of numbers, does not. */
export function isWithin(version: string | undefined, range: VersionRange): boolean {
  const [numbers, from, to] = [numbersOf(version), numbersOf(range.from), numbersOf(range.to)];
  if (!numbers || !from || !to) return false;
  return compare(numbers, from) >= 0 && compare(numbers, to) <= 0;
}

// A pre-release (`1.2.3-beta`) is another program than the release that it precedes.
function numbersOf(version: string | undefined): number[] | null {
  return version !== undefined && /^\d{1,9}(?:\.\d{1,9}){0,3}$/.test(version)
    ? version.split('.').map(Number)
    : null;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
