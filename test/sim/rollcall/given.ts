import type { Settings } from '../../../src/config/settings.ts';
import type { Seat } from '../ports/seat.ts';

/** What a process of rollcall is composed with. */
export interface Given {
  readonly seat: Seat;
  readonly settings: Settings;
  /** Only these tmux servers; all of them otherwise. */
  readonly sockets?: readonly string[];
  /** CPU time that a round of its daemon takes for each session; the dearer, the longer until the next one. */
  readonly roundMs: number;
}
