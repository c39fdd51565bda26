import { randomFrom } from '../../fuzz/random.ts';

type Chance = Pick<typeof globalThis.crypto, 'randomUUID' | 'getRandomValues'>;

/**
 * Replaces what rollcall takes by chance (names of receipts and runs) by what follows from the seed, until it is given back.
 * Nothing else of a run is left to chance.
 */
export function withSeededChance(seed: number): { restore(): void } {
  const random = randomFrom('chance', seed);
  const bytes = <T extends ArrayBufferView | null>(into: T): T => {
    if (into !== null) {
      const view = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
      for (let at = 0; at < view.length; at += 1) view[at] = random.below(256);
    }
    return into;
  };
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.below(16).toString(16)).join('');
  const own: Chance = {
    randomUUID: () =>
      `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[random.below(4)]}${hex(3)}-${hex(12)}` as ReturnType<
        Chance['randomUUID']
      >,
    getRandomValues: bytes as Chance['getRandomValues'],
  };
  const { crypto } = globalThis;
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(crypto, name, { value, configurable: true, writable: true });
  }
  return {
    restore() {
      // What is the prototype's shows again.
      for (const name of Object.keys(own)) Reflect.deleteProperty(crypto, name);
    },
  };
}
