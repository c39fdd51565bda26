/** Whether every row of the long matrices is run: `ROLLCALL_TEST_ALL=1 npm test`. */
export const isWhole = process.env.ROLLCALL_TEST_ALL === '1';

/**
 * The rows of a long matrix that `npm test` runs: the first, the last, every `every`-th between them, and those that have to
 * be there. The rows beside them leave the same kind of thing behind.
 */
export function sliceOf<T>(
  rows: readonly T[],
  every: number,
  isNeeded: (row: T) => boolean = () => false,
): readonly T[] {
  if (isWhole) return rows;
  return rows.filter((row, index) => index % every === 0 || index === rows.length - 1 || isNeeded(row));
}
