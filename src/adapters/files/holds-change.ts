/**
 * Whether a text holds what somebody changed between two others: all that was added, and nothing of what was removed.
 * Made for settings: names, values and lines are compared wherever they stand. In doubt it does not.
 */
export function holdsChange(before: string, after: string, now: string): boolean {
  const [old, changed, found] = [piecesOf(before), piecesOf(after), piecesOf(now)];
  return [...new Set([...old.keys(), ...changed.keys()])].every((piece) => {
    const [was, is, has] = [old, changed, found].map((pieces) => pieces.get(piece) ?? 0) as [
      number,
      number,
      number,
    ];
    if (is > was) return has >= is;
    return is === was || has <= is;
  });
}

function piecesOf(text: string): Map<string, number> {
  const pieces = new Map<string, number>();
  for (const piece of text.split(/[,{}[\]\r\n]+/)) {
    const word = piece.trim();
    if (word !== '') pieces.set(word, (pieces.get(word) ?? 0) + 1);
  }
  return pieces;
}
