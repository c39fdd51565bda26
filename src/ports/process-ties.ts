import type { Rest } from '../core/doctor/rest.ts';
import type { Ties } from '../core/doctor/ties.ts';

type Identities = Iterable<{ readonly pid: number; readonly startTicks: number }>;

/** Sees whether anybody can still talk to a process, and whether it sleeps. */
export interface ProcessTies {
  /** What each has open towards others; null where that cannot be read. Costs a pass over what all processes have open. */
  tiesOf(processes: Identities): ReadonlyMap<number, Ties | null>;
  /** How each stands right now; whom nobody may read is left out. */
  restOf(processes: Identities): ReadonlyMap<number, Rest>;
}
