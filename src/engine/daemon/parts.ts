import type { Pressure } from '../../core/pressure/judge-pressure.ts';
import type { ReapEvent, ReaperStanding } from '../../core/reaper/standing.ts';
import type { SettleEvent, SettleStanding } from '../../core/settle/standing.ts';
import type { Roll } from '../../core/sight/roll.ts';
import type { Moment } from '../../core/text/moment.ts';
import type { DaemonLog, Stirring, Timers, WakeSource } from '../../ports/daemon.ts';
import type { Hands } from '../act/hands.ts';
import type { Look } from '../look/look.ts';
import type { PressureLook } from '../pressure.ts';
import type { Desk } from './desk.ts';

/** What a daemon is made of; src/compose/ supplies the real ones. */
export interface DaemonParts {
  /** One that remembers, and that only this daemon uses, one at a time: rounds, closer looks and the reaper share it. */
  readonly look: Look;
  readonly pressure: PressureLook;
  readonly reaper: Reaper;
  readonly settler: Settler;
  readonly wakes: readonly WakeSource[];
  /** Absent: something always moves. */
  readonly stirring?: Stirring;
  readonly ledger: Desk['ledger'];
  readonly log: DaemonLog;
  readonly timers: Timers;
  now(): Moment;
  /** CPU time of this process and of its ended children. */
  cpuMs(): number;
  /** Whoever asks for them closes their ledger. */
  openHands(): Promise<Hands>;
}

/** Gives memory back, at most one session in a round. */
export interface Reaper {
  /** Decides on this round's roll, and acts where its mode allows. Never throws: what fails is an event. */
  round(seen: { readonly roll: Roll; readonly pressure: Pressure; readonly now: Moment }): Promise<{
    readonly standing: ReaperStanding;
    readonly events: readonly ReapEvent[];
  }>;
  /** Lets a close under way end, and forgets what was only decided. */
  stop(): Promise<void>;
}

/** Closes what is due by a declared completion, one session at a time. */
export interface Settler {
  /** Decides on this round's roll, and acts where its mode allows. */
  round(seen: { readonly roll: Roll; readonly now: Moment }): Promise<{
    readonly standing: SettleStanding;
    readonly events: readonly SettleEvent[];
  }>;
  /** Lets a close under way end. */
  stop(): Promise<void>;
}
