import type { Due } from './due.ts';

/** What the daemon closes by itself, after one round. */
export interface SettleStanding {
  readonly mode: SettleMode;
  readonly due: readonly Due[];
}

export const SETTLE_EVENTS = ['closed', 'would-close', 'skipped', 'failed'] as const;

/**
 * What became of a session that was due. `would-close`: shadow's word for `closed`. `skipped`: the close was refused or stopped
 * because something changed. `failed`: it went wrong, or nobody knows how it ended.
 */
export interface SettleEvent {
  readonly kind: (typeof SETTLE_EVENTS)[number];
  readonly at: number;
  readonly session: { readonly key: string; readonly name: string };
  /** The refusal, the failure: kebab-case. */
  readonly code: string;
  readonly text: string;
  /** Receipt of a close. */
  readonly receipt: string | null;
  /** When it is tried again, epoch ms; null where it is not. */
  readonly nextAt: number | null;
}

/** What the daemon does with sessions that are due: nothing, tell what it would close, or close them. */
export const SETTLE_MODES = ['off', 'shadow', 'on'] as const;

export type SettleMode = (typeof SETTLE_MODES)[number];
