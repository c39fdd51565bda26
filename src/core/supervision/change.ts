import type { Tier } from '../pressure/tier.ts';
import type { ReapEvent } from '../reaper/standing.ts';
import type { SettleEvent } from '../settle/standing.ts';
import type { Problem } from '../sight/roll.ts';
import type { Activity, Lifecycle, WaitingFor } from '../verdict/verdict.ts';

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
