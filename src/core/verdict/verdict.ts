/** Where a piece of evidence comes from. */
export const SOURCES = [
  ...(['tmux', 'process', 'screen', 'people', 'git', 'agent', 'hook', 'transcript', 'title'] as const),
  ...(['history', 'declared', 'host'] as const),
];
export type Source = (typeof SOURCES)[number];

/** What a session is doing now, busiest first: a session is as busy as its busiest pane. */
export const ACTIVITIES = [
  'working',
  'waiting',
  'starting',
  'unknown',
  'idle',
  'asleep',
  'exited',
  'none',
] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** Something goes on, or is about to. */
export const AT_WORK: ReadonlySet<Activity> = new Set(['working', 'waiting', 'starting']);

/** Whom or what a waiting session waits for. */
export const WAITING_FOR = [
  'permission',
  'question',
  'plan',
  'trust',
  'hook-review',
  'login',
  'limit',
  'retry',
  'compaction',
  'error',
  'input',
] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/** What a supervisor may do with a session, worst first. */
export const LIFECYCLES = [
  'lost',
  'stale',
  'unknown',
  'safe-to-close',
  'completed-retained',
  'closing',
  'active',
  'closed',
] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** One finding that led to the verdict; codes are stable once released. */
export interface Reason {
  readonly code: string;
  readonly source: Source;
  readonly observedAt: number;
  readonly text: string;
}

/**
 * What stands against closing is of two kinds: what closing would lose (a turn, a draft, a conversation that nobody can bring
 * back, or anything that is not known), and what is merely unfinished and stays as it is (little rest, files that no commit has).
 */
export const BLOCKER_KINDS = ['would-lose', 'unfinished'] as const;
export type BlockerKind = (typeof BLOCKER_KINDS)[number];

/** What stands against closing. */
export interface Blocker {
  readonly code: string;
  readonly kind: BlockerKind;
  readonly text: string;
}

/** What keeps a session from being closed whatever the proof says. */
export interface Protection {
  readonly code: string;
  readonly text: string;
}

/** One line of the closing checklist. `unknown` blocks just as `unmet` does. */
export interface Check {
  readonly code: string;
  /** What it stands against closing as, where it is not met. */
  readonly kind: BlockerKind;
  readonly state: 'met' | 'unmet' | 'unknown';
  readonly text: string;
}

/** The agent of a session, as far as it is known. */
export interface AgentNote {
  readonly kind: string;
  readonly version: string | null;
  readonly conversation: string | null;
  /** Null once the agent has exited. */
  readonly pid: number | null;
}

/** What one pane is doing. */
export interface PaneVerdict {
  readonly paneId: string;
  readonly activity: Activity;
  readonly waitingFor: WaitingFor | null;
}

/** The answer, with everything that led to it. */
export interface Verdict {
  readonly activity: Activity;
  readonly waitingFor: WaitingFor | null;
  readonly lifecycle: Lifecycle;
  /** Since when it is so, as far as the evidence reaches back. */
  readonly since: number;
  /** Until when it is kept on purpose; null also where that is for as long as nobody says otherwise. */
  readonly retainedUntil: number | null;
  /** The decisive one first; never empty. */
  readonly reasons: readonly Reason[];
  readonly blockers: readonly Blocker[];
  readonly protections: readonly Protection[];
  readonly checks: readonly Check[];
  readonly agent: AgentNote | null;
  readonly panes: readonly PaneVerdict[];
}
