/** Milliseconds on a clock that nobody sets. Node loads several modules for the global `performance`, and none for this. */
export function elapsedMs(): number {
  return process.uptime() * 1000;
}
