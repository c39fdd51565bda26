/** Makes an input smaller as long as it still fails. Bounded by a number of tries, so that it always ends soon. */
export async function shrunk(
  input: Buffer,
  fails: (candidate: Buffer) => boolean | Promise<boolean>,
  mostTries = 2000,
): Promise<Buffer> {
  let best = input;
  let tries = 0;
  const isBetter = async (candidate: Buffer): Promise<boolean> => {
    if (tries >= mostTries) return false;
    tries += 1;
    if (!(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  // Pieces first, the larger ones before the smaller ones.
  for (let size = Math.ceil(best.length / 2); size >= 1 && tries < mostTries; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.length && tries < mostTries; ) {
      const without = Buffer.concat([best.subarray(0, at), best.subarray(at + size)]);
      if (!(await isBetter(without))) at += size;
    }
  }
  // Then every byte becomes a plain letter where it may.
  for (let at = 0; at < best.length && tries < mostTries; at += 1) {
    if (best[at] === PLAIN) continue;
    const plainer = Buffer.from(best);
    plainer[at] = PLAIN;
    await isBetter(plainer);
  }
  return best;
}

const PLAIN = 'a'.charCodeAt(0);
