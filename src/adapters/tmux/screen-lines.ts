/** A wide terminal of 500 × 200 cells in a three-byte script prints 300 kB; more is a flood. */
export const MAX_SCREEN_BYTES = 1024 * 1024;

/** tmux makes no window higher than this (3.0 to 3.7). */
const MAX_ROWS = 10_000;
const LINE_END = 0x0a;

/** What `capture-pane -e` adds to the text: colours, hyperlinks and shifts to the line-drawing set. */
const STYLE = /\x1b\[[\d;:]*m|\x1b\]8;[^\x1b]*\x1b\\|[\x0e\x0f]/g;

/** A row as it reads, like tmux prints it without colours: spaces at its end are not told from nothing. */
export function plainRow(styled: string): string {
  return styled.replace(STYLE, '').replace(/ +$/, '');
}

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
