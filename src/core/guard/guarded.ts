import type { SessionIdentity } from '../sight/identity.ts';

/** A pane as it was when guarding began; its pid tells it from a later program in the same pane. */
export interface GuardedPane {
  readonly paneId: string;
  readonly pid: number;
}

/** What is guarded: identities only, taken once. A name is kept for sentences and never matched. */
export interface Guarded extends SessionIdentity {
  readonly name: string;
  /** Never empty. Panes that appear later are not guarded. */
  readonly panes: readonly GuardedPane[];
  /**
   * What has to live. `session`: something of it. `every-pane`: each pane that it had at the start. `panes`: each of these,
   * wherever it moves, whatever becomes of the session.
   */
  readonly scope: 'session' | 'every-pane' | 'panes';
}

/** How a process ended, as far as anyone can still tell. */
export interface Exit {
  readonly status: number | null;
  readonly signal: string | null;
}

/** What the kernel says about one process; a reading that failed is `unknown`, never `dead`. */
export type GuardedLife =
  | { readonly state: 'alive' }
  | { readonly state: 'dead'; readonly exit: Exit | null }
  | { readonly state: 'unknown' };

/** The kernel's word on everything that is guarded, from one moment. */
export interface Lives {
  readonly server: GuardedLife['state'];
  readonly panes: ReadonlyMap<string, GuardedLife>;
}
