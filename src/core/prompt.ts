// A prompt ends in one mark: sh's and root's, zsh's, fish's, or an arrow or chevron of a themed one. A second mark before
// it may be the real prompt, with typed text behind (`$ cat notes > `), so such a line is not understood.
const PROMPT = /^(?:[^$#%>❯➜»λ]*[\s\])}~\w/:.-])?[$#%>❯➜»λ] ?$/u;
// What sh, bash and zsh show while a command is half typed over several lines: `> `, `dquote> `, `for then> `.
const CONTINUATION = /^[a-z ]*> ?$/;
const TYPED = /[$#%>❯➜»λ] \S/u;

/** No prompt is longer than this; what stands further right is not understood. */
const MAX_PROMPT = 400;

/**
 * Whether the cursor stands right behind a shell prompt with nothing typed: true for a recognised prompt, false when
 * something was typed behind one, null when the line is not understood. With the pane's width, a line that goes on from
 * a full one above it is seen to be the end of a longer text.
 */
export function isPromptEmpty(
  lines: readonly string[],
  cursor: { readonly x: number; readonly y: number; readonly width?: number },
): boolean | null {
  const { x, y, width = Number.POSITIVE_INFINITY } = cursor;
  const line = lines[y];
  const above = lines[y - 1] ?? '';
  if (line === undefined || x > MAX_PROMPT || above.length >= width) return null;
  const before = line.slice(0, x).padEnd(x, ' ');
  if (PROMPT.test(before)) {
    return CONTINUATION.test(before) || line.slice(x).trim() !== '' ? null : true;
  }
  return TYPED.test(before) ? false : null;
}
