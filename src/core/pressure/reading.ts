/**
 * What is read about memory. `stall-some` and `stall-full`: share of the time in which some or all processes waited for
 * it (PSI). `available`: what can still be had. `oom`: how often there was none left. `os-level`: the system's own word.
 * `swap`: what is left of it; shown, and never judged, since a full swap on a machine with memory to spare is no need.
 */
export const SIGNALS = ['os-level', 'stall-full', 'stall-some', 'available', 'oom', 'swap'] as const;

export type Signal = (typeof SIGNALS)[number];

/** The same measure over a longer time, so that one look can tell how long something has lasted. */
export interface Average {
  readonly overMs: number;
  readonly value: number;
}

/** One reading of one signal: what was read, where and when; or that it could not be had, and why. */
export type Reading = {
  readonly signal: Signal;
  /** Whose memory: `host`, or the cgroup. */
  readonly scope: string;
  /** Who lives there and is of interest, in words; empty for the host. */
  readonly holders: readonly string[];
  /** The file or command that was asked. */
  readonly source: string;
  readonly observedAt: number;
} & (
  | {
      readonly state: 'read';
      /** Percent, bytes, a count since the beginning, or a level, by the signal. */
      readonly value: number;
      /** What the bytes are a part of. */
      readonly totalBytes?: number;
      /** The shortest first; `value` is the shortest. */
      readonly averages?: readonly Average[];
      /** What else the source said. */
      readonly note?: string;
    }
  /** `absent`: this machine has no such thing; `failed`: it should have been there. */
  | { readonly state: 'absent' | 'failed'; readonly text: string }
);

/** One word for a signal of one scope, the same in every look. */
export function keyOf({ signal, scope }: Pick<Reading, 'signal' | 'scope'>): string {
  return `${signal} ${scope}`;
}

/** In an order that does not depend on who was asked first: by weight of the signal, the host before its parts. */
export function inOrder(readings: readonly Reading[]): Reading[] {
  const rank = ({ signal, scope }: Reading) => `${SIGNALS.indexOf(signal)}${scope === 'host' ? ' ' : scope}`;
  return readings.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}
