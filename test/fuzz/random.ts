/** Numbers that a seed decides. */
export interface Random {
  /** From 0 up to, and without, `end`. */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
  /** True once in so many times. */
  oneIn(times: number): boolean;
}

/** The same numbers for the same words, on every machine. */
export function randomFrom(...words: readonly (string | number)[]): Random {
  let state = hashOf(words.join('\n'));
  // mulberry32: small, and good enough to choose mutations.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    pick: <T>(from: readonly T[]): T => {
      if (from.length === 0) throw new RangeError('nothing to pick from');
      return from[below(from.length)] as T;
    },
    oneIn: (times) => below(times) === 0,
  };
}

// FNV-1a.
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash | 0;
}
