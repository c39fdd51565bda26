// The end of the usual prompts: sh and root's, zsh, fish and cmd, and the arrows and chevrons of themed ones.
const PROMPT_END = /(?:^|[\s\])}~\w/:.-])[$#%>❯➜»λ] ?$/u;

/**
 * Whether the cursor stands right behind a shell prompt with nothing typed: true for a recognised prompt, false when
 * something was typed behind one, null when the line is not understood.
 */
export function isPromptEmpty(lines: readonly string[], cursorX: number, cursorY: number): boolean | null {
  const line = lines[cursorY];
  if (line === undefined) return null;
  const before = line.slice(0, cursorX).padEnd(cursorX, ' ');
  const behind = line.slice(cursorX).trim();
  if (PROMPT_END.test(before.length > 200 ? before.slice(-200) : before)) return behind === '' ? true : null;
  return /[$#%>❯➜»λ] \S/u.test(before.slice(0, 400)) ? false : null;
}
