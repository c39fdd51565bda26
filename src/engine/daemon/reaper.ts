import type { Pressure } from '../../core/pressure/judge-pressure.ts';
import type { ReapEvent, ReaperStanding } from '../../core/reaper/standing.ts';
import type { Roll } from '../../core/sight/roll.ts';
import type { Moment } from '../../core/text/moment.ts';

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
