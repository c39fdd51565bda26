const BOX = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[ ?\]\s+(.*)$/;
const FENCE = /^\s{0,3}(?:>\s*)*(`{3,}|~{3,})/;

/** What stands behind the open boxes of a Markdown text; what is fenced as code is only shown there. */
export function openBoxes(text: string): string[] {
  const open: string[] = [];
  let fence: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === null || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === null ? mark : null;
      continue;
    }
    const item = fence === null ? BOX.exec(line)?.[1]?.trim() : undefined;
    if (item !== undefined) open.push(item);
  }
  return open;
}
