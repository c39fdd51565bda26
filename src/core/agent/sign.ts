import type { WaitingFor } from '../verdict/verdict.ts';

/** Where a sign of an agent comes from, strongest first: its own status, its hooks, its transcript, its title, its screen. */
export const SIGN_SOURCES = ['agent', 'hook', 'transcript', 'title', 'screen'] as const;
export type SignSource = (typeof SIGN_SOURCES)[number];

/**
 * What one source tells about an agent, and no more than it really tells: a fact that is left out is not known to it.
 * A turn that is over, nothing in the background, no dialog and an empty input together are what makes an agent idle,
 * and hardly any source sees all four.
 */
export interface AgentSign {
  readonly source: SignSource;
  readonly observedAt: number;
  /** Tells what is so now (a status, a title, a screen), not what happened last (a hook, a transcript's record). */
  readonly isLive: boolean;
  /** When what it tells began; a live sign may not know, one of what happened always does. */
  readonly since?: number;
  /** `over` only from a source that would show a turn that still runs, however quietly. */
  readonly turn?: 'running' | 'over';
  /** When its last turn began: the time of the prompt itself, never of a later event. Left out where that is not known. */
  readonly beganAt?: number;
  /**
   * What the agent waits for; null from a source that would show a dialog, and shows none. `error` tells that the turn
   * ended in one: no dialog, but nothing that has finished either. `retry` and `compaction` hold up a turn that runs.
   */
  readonly waitingFor?: WaitingFor | null;
  /** Shells, subagents and timers that outlive the turn; 0 only from a source that would show them. */
  readonly background?: number;
  /** Whether unsent text stands in the input box. */
  readonly hasDraft?: boolean;
  /** The input box is shown and takes a prompt. */
  readonly isReady?: boolean;
  /** The agent's version is one that this source was verified on. */
  readonly isVerified: boolean;
  /** What was seen, in words, for a person. */
  readonly text: string;
}
