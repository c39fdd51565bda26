const MIB = 1024 ** 2;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How much of what was seen is kept. It concerns the machine, so a project has no say. */
export const HISTORY_SETTINGS = [
  {
    key: 'history.maxBytes',
    kind: 'bytes',
    default: 64 * MIB,
    min: 4 * MIB,
    max: 4096 * MIB,
    projectMay: 'nothing',
    means:
      'Room for the evidence that the daemon keeps for `reap report` and `backtest`; the oldest goes first.',
    why: 'Two weeks of two hundred sessions fit into it, and nobody misses it on a disk.',
  },
  {
    key: 'history.keepFor',
    kind: 'duration',
    default: 14 * DAY,
    min: HOUR,
    max: 366 * DAY,
    projectMay: 'nothing',
    means: 'How long that evidence is kept at most.',
    why: 'Two working weeks show what is used again after a weekend; what is older says little about a policy.',
  },
] as const;

type HistoryValues = { readonly [S in (typeof HISTORY_SETTINGS)[number] as S['key']]: number };

/** Bounds of the history. */
export interface HistorySettings {
  readonly maxBytes: number;
  readonly keepMs: number;
}

/** Gives each value its place and its unit in the name. */
export function toHistorySettings(values: HistoryValues): HistorySettings {
  return { maxBytes: values['history.maxBytes'], keepMs: values['history.keepFor'] };
}
