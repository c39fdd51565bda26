import type { Pressure } from '../pressure/judge-pressure.ts';
import type { Tier } from '../pressure/tier.ts';
import type { ReapEvent, ReaperStanding } from '../reaper/standing.ts';
import type { SettleEvent, SettleStanding } from '../settle/standing.ts';
import type { Problem, Roll } from '../sight/roll.ts';
import type { Moment } from '../text/moment.ts';
import type { Activity, Lifecycle, WaitingFor } from '../verdict/verdict.ts';

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
  /** When the next one comes if nothing calls for it earlier and nothing moves, ms from now. */
  readonly nextInMs: number;
}

/** A session as far as a change of it is told. */
export interface SessionState {
  readonly activity: Activity;
  readonly waitingFor: WaitingFor | null;
  readonly lifecycle: Lifecycle;
  readonly isAttached: boolean;
  readonly name: string;
  /** The decisive reason. */
  readonly text: string;
}

/** Which session it is about; the name is for people. */
export interface ChangedSession {
  readonly key: string;
  readonly name: string;
  /** Label of its server. */
  readonly server: string;
  readonly agent: string | null;
  readonly role: string | null;
  readonly task: string | null;
}

/** Something that is not as it was in the round before. */
export type Change = {
  /** Rises by one with each change of one daemon. */
  readonly number: number;
  readonly at: number;
} & (
  | {
      readonly kind: 'session';
      readonly session: ChangedSession;
      /** Null: it was not there. */
      readonly from: SessionState | null;
      /** Null: it is gone. */
      readonly to: SessionState | null;
    }
  | { readonly kind: 'pressure'; readonly from: Tier; readonly to: Tier; readonly text: string }
  | { readonly kind: 'reaper'; readonly event: ReapEvent }
  | { readonly kind: 'settle'; readonly event: SettleEvent }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly isOver: boolean }
);
