/** Chance that a seed decides, and that can be split: a fork draws from its own name, so nothing that others draw shifts it. */
export class Rng {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: string | number) {
    this.#seed = String(seed);
    [this.#a, this.#b, this.#c, this.#d] = [1, 2, 3, 4].map((part) => fnv1a(`${part} ${this.#seed}`)) as [
      number,
      number,
      number,
      number,
    ];
    for (let round = 0; round < 12; round += 1) this.next32();
  }

  fork(name: string | number): Rng {
    return new Rng(`${this.#seed}/${name}`);
  }

  /** sfc32: small, quick, and good enough to spread stories. */
  next32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 up to 1, without it. */
  next(): number {
    return this.next32() / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[Math.floor(this.next() * from.length)] ?? from[0];
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.next32().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  uuid(): `${string}-${string}-${string}-${string}-${string}` {
    const hex = this.hex(32);
    const [one, two, three, four] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
    return `${one}-${two}-4${three}-a${four}-${hex.slice(20)}`;
  }
}

/**
 * Has everything in this process that asks for a random id get it from a seed; returns what gives the real ones back. The only
 * chance that the engine takes by itself.
 */
export function seedIds(rng: Rng): () => void {
  const { crypto } = globalThis;
  const own = { randomUUID: crypto.randomUUID, getRandomValues: crypto.getRandomValues };
  crypto.randomUUID = () => rng.uuid();
  crypto.getRandomValues = (array) => {
    if (array instanceof Uint8Array) for (const at of array.keys()) array[at] = rng.int(0, 255);
    return array;
  };
  return () => Object.assign(crypto, own);
}

/** Spreads a text over 32 bits. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
