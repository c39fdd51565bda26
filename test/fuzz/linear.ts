import { startCpuClock } from './cpu-clock.ts';
import { RUNS, repeated } from './mutate.ts';
import { randomFrom } from './random.ts';
import type { Room, Target } from './target.ts';

/** One kind of hard input for one target. */
export interface HardKind {
  readonly name: string;
  make(bytes: number): Buffer;
}

/**
 * Every kind of long input that a target has to take in linear time: its own first, then those that every target gets, from
 * another one on with every seed, since a short run does not come to all of them.
 */
export function hardKinds(
  { name, seeds, hard = {} }: Pick<Target, 'name' | 'seeds' | 'hard'>,
  seed: string,
): HardKind[] {
  const longest = [...seeds()].sort((one, other) => other.length - one.length).slice(0, 2);
  const [first = Buffer.alloc(0)] = seeds();
  const middle = Math.floor(first.length / 2);
  const common: HardKind[] = [
    ...longest.map((seed, at) => ({
      name: `sample ${at} many times`,
      make: (bytes: number) => repeated(seed, bytes),
    })),
    ...RUNS.map((run) => ({
      name: `run of ${JSON.stringify(run)}`,
      make: (bytes: number) => repeated(Buffer.from(run), bytes),
    })),
    ...RUNS.slice(0, 14).map((run) => ({
      name: `run of ${JSON.stringify(run)} in a sample`,
      make: (bytes: number) =>
        Buffer.concat([first.subarray(0, middle), repeated(Buffer.from(run), bytes), first.subarray(middle)]),
    })),
  ];
  const from = randomFrom(seed, name).below(common.length);
  const own = Object.entries(hard).map(([kind, make]) => ({ name: kind, make }));
  return [...own, ...common.slice(from), ...common.slice(0, from)];
}

/** Sizes in bytes, the smallest first. */
export interface Sizes {
  readonly small: number;
  readonly middle: number;
  readonly large: number;
}

export const SIZES: Sizes = { small: 1024 * 1024, middle: 4 * 1024 * 1024, large: 10 * 1024 * 1024 };

/** Ten times as much may take so many times as long as ten times the time: garbage collection and caches are not linear. */
const SLACK = 4;
/** Below this nobody waits, and clocks tell little. */
const NOTICED_MS = 1000;

/** How long a target takes for so much of a kind, at best of some tries: its processor time, since others may be at work. */
export async function timeOf(target: Target, input: Buffer, room: Room, tries: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const spentMs = startCpuClock();
    try {
      await target.parse(input, room);
    } catch (error) {
      // A long input may be refused; anything else is for the other check to tell.
      if (error instanceof RangeError) throw error;
    }
    best = Math.min(best, spentMs());
  }
  return best;
}

/**
 * What is wrong with the time that a target takes for a kind of input; null for nothing. Compares ratios: a slow machine is
 * slow for all three sizes.
 */
export async function superlinear(
  target: Target,
  kind: HardKind,
  room: Room,
  sizes: Sizes = SIZES,
  noticedMs = NOTICED_MS,
): Promise<string | null> {
  const large = await timeOf(target, kind.make(sizes.large), room, 1);
  if (large < noticedMs) return null;
  const small = await timeOf(target, kind.make(sizes.small), room, 3);
  const middle = await timeOf(target, kind.make(sizes.middle), room, 2);
  const again = Math.min(large, await timeOf(target, kind.make(sizes.large), room, 1));
  const limit = (SLACK * sizes.large) / sizes.small;
  const ratio = again / Math.max(small, 1);
  if (again < noticedMs || ratio <= limit) return null;
  const times = [small, middle, again].map((ms) => `${Math.round(ms)} ms`).join(', ');
  return `takes ${times} for ${[sizes.small, sizes.middle, sizes.large].map((bytes) => `${bytes} bytes`).join(', ')}`;
}
