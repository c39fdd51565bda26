import type { NamedPane } from '../../core/sight/marks.ts';
import type { Roll, SessionEntry } from '../../core/sight/roll.ts';

/** How much one look takes in. */
export interface LookOptions {
  /** Only these servers (socket paths or `-L` labels); all of them otherwise. */
  readonly servers?: readonly string[];
  /**
   * Picks the sessions to look at thoroughly, as `explain` does: git and the screen of every pane, whatever the verdict,
   * and CPU over a short second sample.
   */
  readonly inspect?: Inspect;
  /** Tells in `Roll.departed` what is gone. */
  readonly withDeparted?: boolean;
  /** git may take seconds: whoever acts on what this look sees does not ask it. */
  readonly withoutGit?: boolean;
  /** Also what was closed or has finished, which is out of the way otherwise. */
  readonly isWithClosed?: boolean;
  /** Whose session is marked as its own; this very process otherwise. */
  readonly asker?: Asker;
}

/** A process for which another one looks. */
export interface Asker {
  readonly pid: number;
  /** The pane that its environment names. */
  readonly pane: NamedPane | null;
}

/** Picks sessions out of a first look. */
export type Inspect = (sessions: readonly SessionEntry[]) => readonly SessionEntry[];

/** One look at the machine: sense, classify, and return the roll. Changes nothing that it looks at. */
export type Look = (options?: LookOptions) => Promise<Roll>;
