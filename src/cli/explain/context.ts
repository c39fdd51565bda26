import type { Roll, SessionEntry } from '../../core/sight/roll.ts';

/** What every part of an explanation is made from. A null width neither cuts nor breaks. */
export interface ExplainContext {
  readonly roll: Roll;
  readonly entry: SessionEntry;
  readonly now: number;
  readonly width: number | null;
}
