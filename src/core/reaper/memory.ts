import type { Reaped, ReapMode } from './standing.ts';

/** How long a session was seen without any change. */
export interface Steady {
  readonly mark: string;
  /** Awake time. */
  readonly sinceMs: number;
  readonly sightings: number;
}

/** A session that was chosen, as it was then. */
export interface Chosen extends Reaped {
  readonly mark: string;
  readonly deepMark: string;
  readonly at: number;
  /** Awake time at which its grace began. */
  readonly sinceMs: number;
}

/** A session that is left alone for a while, since closing it was refused. */
export interface Aside {
  readonly times: number;
  /** Awake time. */
  readonly untilMs: number;
}

/**
 * What the reaper remembers from round to round, in its process and nowhere else: a process that starts has seen nothing,
 * so every confirm window and every grace begins afresh with it.
 */
export interface ReaperMemory {
  readonly mode: ReapMode | null;
  readonly steady: ReadonlyMap<string, Steady>;
  readonly chosen: Chosen | null;
  readonly asides: ReadonlyMap<string, Aside>;
  /** Guards that were told of in this episode of pressure, by session. */
  readonly told: ReadonlyMap<string, ReadonlySet<string>>;
  /** What shadow has named in this episode: as good as gone. */
  readonly named: ReadonlySet<string>;
  /** When shadow would have closed something, awake time. */
  readonly simulated: readonly number[];
  /** Nothing is chosen before this, awake time. */
  readonly settledMs: number;
}

export const NO_MEMORY: ReaperMemory = {
  mode: null,
  steady: new Map(),
  chosen: null,
  asides: new Map(),
  told: new Map(),
  named: new Set(),
  simulated: [],
  settledMs: Number.NEGATIVE_INFINITY,
};

/** What outlives an episode of pressure: what was refused, and what the hour has seen. */
export function betweenEpisodes(memory: ReaperMemory): ReaperMemory {
  const { mode, asides, simulated, settledMs } = memory;
  return { ...NO_MEMORY, mode, asides, simulated, settledMs };
}

/** Only of sessions that are there, so that it is bounded by the roll. */
export function pruned<T>(map: ReadonlyMap<string, T>, keys: ReadonlySet<string>): Map<string, T> {
  return new Map([...map].filter(([key]) => keys.has(key)));
}

const FIRST_PAUSE_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;

/** Leaves a session alone for a while: longer each time, and never for good. */
export function setAside(memory: ReaperMemory, key: string, nowMs: number): ReaperMemory {
  const times = (memory.asides.get(key)?.times ?? 0) + 1;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), LONGEST_PAUSE_MS);
  return { ...memory, asides: new Map(memory.asides).set(key, { times, untilMs: nowMs + pauseMs }) };
}
