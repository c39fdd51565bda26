// A prompt ends in one mark: sh's and root's, zsh's, fish's, or an arrow or chevron of a themed one. A second mark before
// it may be the real prompt, with typed text behind (`$ cat notes > `), so such a line is not understood.
const PROMPT = /^(?:[^$#%>❯➜»λ]*[\s\])}~\w/:.-])?[$#%>❯➜»λ] ?$/u;
// What sh, bash and zsh show while a command is half typed over several lines: `> `, `dquote> `, `for then> `.
const CONTINUATION = /^[a-z ]*> ?$/;
const TYPED = /[$#%>❯➜»λ] \S/u;

/** No prompt is longer than this; what stands further right is not understood. */
const MAX_PROMPT = 400;

/**
 * Whether the screen looks as if the cursor stood right behind a shell prompt with nothing typed: true for a recognised
 * prompt, false when something was typed behind one, null when the line is not understood. Any program can print such a
 * line, so true proves nothing by itself (`promptDoubt`). With the pane's width, a line that goes on from a full one above
 * it is seen to be the end of a longer text.
 */
export function looksEmpty(
  lines: readonly string[],
  cursor: { readonly x: number; readonly y: number; readonly width?: number },
): boolean | null {
  const { x, y, width = Number.POSITIVE_INFINITY } = cursor;
  const line = lines[y];
  const above = lines[y - 1] ?? '';
  if (line === undefined || x > MAX_PROMPT || above.length >= width) return null;
  const before = textBeforeCursor(lines, cursor);
  if (PROMPT.test(before)) {
    const behind = [line.slice(x), ...lines.slice(y + 1)];
    return CONTINUATION.test(before) || behind.some((text) => text.trim() !== '') ? null : true;
  }
  return TYPED.test(before) ? false : null;
}

/** What stands before the cursor on its line. */
export function textBeforeCursor(
  lines: readonly string[],
  { x, y }: { readonly x: number; readonly y: number },
): string {
  return (lines[y] ?? '').slice(0, x).padEnd(x, ' ');
}
