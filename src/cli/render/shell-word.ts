/** A path as a shell takes it, whatever is in it. */
export function shellWord(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
