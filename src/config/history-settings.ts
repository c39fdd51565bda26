import { bytes, duration } from './measure-kinds.ts';
import { setting, type ValuesOf } from './setting.ts';

/** How much of what was seen is kept. It concerns the machine, so a project has no say. */
export const HISTORY_SETTINGS = {
  'history.maxBytes': setting(bytes('4MiB', '4GiB'), {
    default: '64MiB',
    means:
      'Room for the evidence that the daemon keeps for `reap report` and `backtest`; the oldest goes first.',
    why: 'Two weeks of two hundred sessions fit into it, and nobody misses it on a disk.',
  }),
  'history.keepFor': setting(duration('1h', '366d'), {
    default: '14d',
    means: 'How long that evidence is kept at most.',
    why: 'Two working weeks show what is used again after a weekend; what is older says little about a policy.',
  }),
};

/** Bounds of the history. */
export interface HistorySettings {
  readonly maxBytes: number;
  readonly keepMs: number;
}

/** Gives each value its place and its unit in the name. */
export function toHistorySettings(values: ValuesOf<typeof HISTORY_SETTINGS>): HistorySettings {
  return { maxBytes: values['history.maxBytes'], keepMs: values['history.keepFor'] };
}
