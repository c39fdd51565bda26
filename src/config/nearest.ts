// Enough to tell names apart; it also keeps every distance within a byte.
const LONGEST = 64;

/** The words that were probably meant, best first: few edits away, or holding the word. None is better than a wild guess. */
export function nearest(word: string, known: Iterable<string>, atMost = 1): string[] {
  const wanted = word.toLowerCase().slice(0, LONGEST);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(known)) {
    const distance = score(wanted, candidate.toLowerCase().slice(0, LONGEST), limit);
    if (distance !== null) scored.push({ candidate, distance });
  }
  return scored
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, atMost)
    .map(({ candidate }) => candidate);
}

function score(wanted: string, candidate: string, limit: number): number | null {
  const distance = Math.abs(wanted.length - candidate.length) > limit ? null : edits(wanted, candidate);
  if (distance !== null && distance <= limit) return distance;
  return wanted.length >= 3 && candidate.includes(wanted) ? limit + 1 : null;
}

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment), three rows at a time.
function edits(a: string, b: string): number {
  let before = new Uint8Array(b.length + 1);
  let above = Uint8Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = new Uint8Array(b.length + 1);
    row[0] = i;
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let best = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, at(before, j - 2) + 1);
      row[j] = best;
    }
    before = above;
    above = row;
  }
  return at(above, b.length);
}

function at(row: Uint8Array, index: number): number {
  return row[index] ?? 0;
}
