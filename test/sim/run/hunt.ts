import type { Crew } from './crew.ts';
import type { Played, Scale } from './job.ts';

/** Which stories are to be played. */
export interface Hunt {
  readonly first: number;
  readonly seeds: number;
  readonly scale: Scale;
  /** Also after a law was broken. */
  readonly keepGoing: boolean;
}

/** What came of it so far. */
export interface Tally {
  seeds: number;
  sessionHours: number;
  /** Hours of the worlds, and ms that their processes took for them. */
  hours: number;
  tookMs: number;
  steps: number;
  readonly stats: Map<string, number>;
  readonly hashes: Map<number, string>;
  readonly broken: Played[];
}

export function newTally(): Tally {
  const counts = { seeds: 0, sessionHours: 0, hours: 0, tookMs: 0, steps: 0 };
  return { ...counts, stats: new Map(), hashes: new Map(), broken: [] };
}

/** Plays one story after the other on every process of the crew, to the first broken law or the last seed. */
export async function hunt(
  crew: Pick<Crew, 'size' | 'do'>,
  { first, seeds, scale, keepGoing }: Hunt,
  tally: Tally,
): Promise<void> {
  let next = first;
  const lane = async () => {
    while (next < first + seeds && (keepGoing || tally.broken.length === 0)) {
      const seed = next;
      next += 1;
      const told = await crew.do({ kind: 'play', seed, scale });
      if (told.kind === 'played') add(tally, told);
    }
  };
  await Promise.all(Array.from({ length: crew.size }, lane));
  // Of several that were played side by side, always the same one is told first.
  tally.broken.sort((a, b) => a.story.seed - b.story.seed);
}

function add(tally: Tally, played: Played): void {
  const { story, sessionHours, tookMs, steps, stats, hash } = played;
  tally.seeds += 1;
  tally.sessionHours += sessionHours;
  tally.hours += story.hours;
  tally.tookMs += tookMs;
  tally.steps += steps;
  tally.hashes.set(story.seed, hash);
  for (const [name, count] of Object.entries(stats))
    tally.stats.set(name, (tally.stats.get(name) ?? 0) + count);
  if (played.violation !== null) tally.broken.push(played);
}

/** How often faster than real time one process plays. */
export function timesRealTime({ hours, tookMs }: Pick<Tally, 'hours' | 'tookMs'>): number {
  return tookMs === 0 ? 0 : Math.round((hours * 3_600_000) / tookMs);
}
