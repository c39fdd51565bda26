/** Whether what a pane shows in the end is all in what was kept of it before: the same, or the beginning of it. */
export function isKept(last: string, earlier: readonly string[]): boolean {
  return earlier.some((text) => text.startsWith(last.trimEnd()));
}
