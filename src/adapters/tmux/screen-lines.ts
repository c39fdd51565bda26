/** A wide terminal of 500 × 200 cells in a three-byte script prints 300 kB; more is a flood. */
export const MAX_SCREEN_BYTES = 1024 * 1024;

/** tmux makes no window higher than this (3.0 to 3.7). */
const MAX_ROWS = 10_000;
const LINE_END = 0x0a;

/**
 * Takes a captured screen apart into its rows, blank ones at the end included: the cursor's row is an index into
 * them. A flood is cut row by row, so that every row keeps its place.
 */
export function screenLines(screen: Buffer): string[] {
  if (screen.length <= MAX_SCREEN_BYTES) return screen.toString('utf8').split('\n');
  const rows: Buffer[] = [];
  for (let start = 0, end = 0; end !== -1 && rows.length < MAX_ROWS; start = end + 1) {
    end = screen.indexOf(LINE_END, start);
    rows.push(screen.subarray(start, end === -1 ? screen.length : end));
  }
  const maxRowBytes = Math.max(1, Math.floor(MAX_SCREEN_BYTES / rows.length));
  return rows.map((row) => row.subarray(0, maxRowBytes).toString('utf8'));
}
