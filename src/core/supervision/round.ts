import type { Pressure } from '../pressure/judge-pressure.ts';
import type { ReaperStanding } from '../reaper/standing.ts';
import type { SettleStanding } from '../settle/standing.ts';
import type { Roll } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';
import type { Change } from './change.ts';

/** What made a round begin. `relist`: its time had come; all others are hints that came earlier. */
export const WAKES = [
  'start',
  'relist',
  'hook',
  'file',
  'tmux-hook',
  'death',
  'birth',
  'ledger',
  'asked',
] as const;

export type Wake = (typeof WAKES)[number];

/** One round of the daemon: sense, classify, decide, act, record. */
export interface Round {
  readonly number: number;
  readonly now: Moment;
  readonly roll: Roll;
  readonly pressure: Pressure;
  readonly reaper: ReaperStanding;
  readonly settle: SettleStanding;
  readonly changes: readonly Change[];
  readonly wokenBy: readonly Wake[];
  /** Changes that a relist found and that no hint had announced. */
  readonly missedHints: number;
  readonly cost: { readonly wallMs: number; readonly cpuMs: number };
  /** When the next one comes if nothing calls for it earlier, ms from now. */
  readonly nextInMs: number;
}
