import type { Desk } from '../../engine/daemon/desk.ts';
import type { DaemonNote, DaemonSighting } from '../../ports/daemon.ts';

/** A daemon in this very process. */
export interface Supervision {
  readonly desk: Desk;
  /** After the first round, and once it can be reached. */
  readonly ready: Promise<DaemonNote>;
  /** Ends it; resolves when everything under way is done. */
  stop(): Promise<void>;
}

export type Begun =
  | { readonly state: 'begun'; readonly supervision: Supervision }
  | { readonly state: 'already-running'; readonly seen: DaemonSighting }
  | { readonly state: 'failed'; readonly text: string; readonly hint: string };
