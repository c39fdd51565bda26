import type { Tier } from '../pressure/tier.ts';
import type { Moment } from '../text/moment.ts';

/**
 * Why a session may go under pressure, in the order in which relief is taken: retained and past its time, safe to close,
 * or idle for long with full proof.
 */
export const RELIEFS = ['retention-over', 'safe-to-close', 'long-idle'] as const;

export type Relief = (typeof RELIEFS)[number];

/** What keeps a session from being reaped now; codes are stable once released. */
export interface ReapGuard {
  readonly code: string;
  readonly text: string;
}

/** The reaper's word on one session. */
export interface ReapVerdict {
  readonly key: string;
  readonly name: string;
  /** Null where it is kept. */
  readonly relief: Relief | null;
  /** The first guard that keeps it; null where nothing does. */
  readonly guard: ReapGuard | null;
  /** What closing it would give back: the proportional share of its processes; null where it is not known. */
  readonly memoryBytes: number | null;
}

/** A session that was chosen and is given time to object. */
export interface PendingReap extends Omit<ReapVerdict, 'relief' | 'guard'> {
  readonly relief: Relief;
  readonly decidedAt: number;
  /** Epoch ms; the true clock is the one that stands still in suspend. */
  readonly dueAt: number;
}

/** A session that is to be closed. */
export type Reaped = Omit<PendingReap, 'decidedAt' | 'dueAt'>;

/** Why the reaper fell back to shadow by itself. */
export interface Breaker {
  readonly at: number;
  readonly code: string;
  readonly text: string;
  readonly session: { readonly key: string; readonly name: string } | null;
}

/** How many closes the hour still allows, over all rollcalls of this user on this host. */
export interface ReapBudget {
  readonly perHour: number;
  readonly used: number;
  /** When the next one is free; null while one is, and where it could not be read. */
  readonly freeAt: number | null;
  /** Why it cannot be told; nothing is closed then. */
  readonly problem: string | null;
}

/** The reaper after one round. */
export interface ReaperStanding {
  readonly mode: ReapMode;
  /** What was asked for, where a tripped breaker holds it down. */
  readonly wanted: ReapMode;
  readonly tier: Tier;
  readonly breaker: Breaker | null;
  readonly budget: ReapBudget;
  readonly pending: PendingReap | null;
  /** The pending one is being closed at this moment. */
  readonly isClosing?: boolean;
  readonly sessions: readonly ReapVerdict[];
  /** Why the mode could not be read: it is shadow then. */
  readonly problem?: string;
}

export const REAP_EVENTS = [
  'chosen',
  'spared',
  'would-close',
  'closed',
  'skipped',
  'failed',
  'vetoed',
  'breaker-tripped',
  'mode-changed',
] as const;

/**
 * What the reaper did. `chosen`: its grace begins. `spared`: something changed before its grace was over. `would-close`:
 * shadow's word for `closed`. `skipped`: the close itself was refused or stopped, and nothing was lost. `failed`: a close went
 * wrong or nobody knows how it ended. `vetoed`: a guard began to keep a session that could have gone, or another one
 * does now.
 */
export interface ReapEvent {
  readonly kind: (typeof REAP_EVENTS)[number];
  readonly at: number;
  readonly mode: ReapMode;
  readonly tier: Tier;
  readonly session: { readonly key: string; readonly name: string } | null;
  readonly relief: Relief | null;
  /** The guard, the refusal, the failure: kebab-case. */
  readonly code: string;
  readonly text: string;
  readonly memoryBytes: number | null;
  /** Receipt of a close. */
  readonly receipt: string | null;
}

/** What the reaper may do: nothing at all, decide and record without touching anything, or close. */
export const REAP_MODES = ['off', 'shadow', 'enforce'] as const;

export type ReapMode = (typeof REAP_MODES)[number];

/** When and under what something happened. */
export interface ReapMoment {
  readonly mode: ReapMode;
  readonly tier: Tier;
  readonly now: Moment;
}

/** Which session it is about, and what would have been or was given back. */
interface About {
  readonly key: string;
  readonly name: string;
  readonly relief?: Relief | null;
  readonly memoryBytes?: number | null;
  readonly receipt?: string | null;
}

export function reapEvent(
  kind: ReapEvent['kind'],
  { mode, tier, now }: ReapMoment,
  about: About | null,
  { code, text }: { readonly code: string; readonly text: string },
): ReapEvent {
  return {
    ...{ kind, at: now.at, mode, tier },
    session: about && { key: about.key, name: about.name },
    relief: about?.relief ?? null,
    ...{ code, text },
    memoryBytes: about?.memoryBytes ?? null,
    receipt: about?.receipt ?? null,
  };
}
