import type { Moment } from '../../core/text/moment.ts';
import type { DaemonLog, Timers, WakeSource } from '../../ports/daemon.ts';
import type { Hands } from '../act/hands.ts';
import type { Look } from '../look/look.ts';
import type { PressureLook } from '../pressure.ts';
import type { Desk } from './desk.ts';
import type { Reaper } from './reaper.ts';
import type { Settler } from './settler.ts';

/** What a daemon is made of; src/compose/ supplies the real ones. */
export interface DaemonParts {
  /** One that remembers, and that only this daemon uses, one at a time: rounds, closer looks and the reaper share it. */
  readonly look: Look;
  readonly pressure: PressureLook;
  readonly reaper: Reaper;
  readonly settler: Settler;
  readonly wakes: readonly WakeSource[];
  readonly ledger: Desk['ledger'];
  readonly log: DaemonLog;
  readonly timers: Timers;
  now(): Moment;
  /** CPU time of this process and of its ended children. */
  cpuMs(): number;
  /** Whoever asks for them closes their ledger. */
  openHands(): Promise<Hands>;
}
