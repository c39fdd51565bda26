/** So many of something, in words: `1 pane`, `2 panes`. The plural is given where it takes more than an s. */
export function counted(amount: number, one: string, several = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : several}`;
}
