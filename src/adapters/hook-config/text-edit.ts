/** One replacement in a text; `at` is an offset into the text before any of them. */
export interface TextEdit {
  readonly at: number;
  readonly removed: string;
  readonly added: string;
}

/** The text with all edits in place. They must not overlap; those at one place stand in the order given. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = edits.toSorted((one, other) => one.at - other.at);
  let done = '';
  let at = 0;
  for (const edit of ordered) {
    done += text.slice(at, edit.at) + edit.added;
    at = edit.at + edit.removed.length;
  }
  return done + text.slice(at);
}

/** The edits that lead back from the edited text. */
export function invertEdits(edits: readonly TextEdit[]): TextEdit[] {
  let shift = 0;
  return edits
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, removed, added }) => {
      const inverse = { at: at + shift, removed: added, added: removed };
      shift += added.length - removed.length;
      return inverse;
    });
}
