import type { ProcessMark } from '../sight/identity.ts';

/** Why a stop was let through, or not. Stable once released; `rollcall gate report` counts by them. */
export const STOP_REASONS = [
  /** Nobody owns anything here: decided by the hook itself, without rollcall. */
  'nobody-here',
  /** `rollcall gate off --now`. */
  'switched-off',
  'mode-off',
  /** No contract for this pane any more. */
  'no-contract',
  /** Finished or abandoned. */
  'ended',
  'expired',
  'unstamped',
  /** Nothing that can be read, or not the event that ends a turn. */
  'payload-unreadable',
  /** No conversation, no pane, outside tmux. */
  'identity-unknown',
  'subagent',
  'another-agent',
  'another-pane',
  'another-process',
  'another-conversation',
  /** Called by something else that runs below the agent. */
  'not-its-hook',
  /** Its user has stopped it: that is no stop of its own. */
  'interrupted',
  /** Everything that was asked for holds. */
  'checks-met',
  /** Nothing is known to be missing, and something cannot be told. */
  'checks-unknown',
  /** Two hooks, one stop. */
  'same-stop',
  /** It was kept going for this very reason before. */
  'same-evidence',
  'budget-spent',
  /** The agent itself would override one more. */
  'agent-cap',
  /** It goes on already, and not because of this gate. */
  'held-by-another',
  /** Checks took longer than there is time. */
  'out-of-time',
  /** rollcall could not do its part. */
  'failed',
  /** Something is missing: the only reason to block. */
  'checks-unmet',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** `would-block` is what shadow records; the agent stops. */
export const STOP_VERDICTS = ['approved', 'would-block', 'blocked'] as const;
export type StopVerdict = (typeof STOP_VERDICTS)[number];

/** What was decided about one stop. */
export interface StopDecision {
  readonly verdict: StopVerdict;
  readonly reason: StopReason;
  /** One line for people. */
  readonly text: string;
  /** What is missing, one line each; only where something is known to be. */
  readonly missing: readonly string[];
}

/** What one stop event says, whoever sent it. */
export interface StopFacts {
  readonly agentKind: string;
  readonly conversation: string | null;
  /** Inside a subagent: not the one whose work it is. */
  readonly isSubagent: boolean;
  /** The agent goes on already because a stop hook wanted it to (`stop_hook_active`). */
  readonly isContinued: boolean;
  /** Digest of the payload. */
  readonly digest: string;
}

/** What an agent started as its hook. */
export interface HookProcess {
  readonly argv: readonly string[];
  /** Agents write the event into a pipe or a socket; a script that calls the hook by hand often names a file. */
  readonly stdin: 'stream' | 'other' | 'unknown';
}

/** Where a stop event came from, as /proc and the hook's environment tell. */
export interface StopOrigin {
  readonly serverPid: number | null;
  readonly paneId: string | null;
  /** From the hook's parent up to init. */
  readonly ancestors: readonly ProcessMark[];
  /** A shared daemon runs the hook: what is above it has only started it. */
  readonly isByDaemon: boolean;
  /** The nearest ancestor that is an agent of this kind; null where there is none, or something else answers before it. */
  readonly agent: (ProcessMark & { readonly argv: readonly string[] }) | null;
  /** What runs directly below that agent, or below the daemon, on the way to this hook; null where that is the asker. */
  readonly hook: HookProcess | null;
  /** The owner's own marks as they are now. */
  readonly isServerAlive: boolean;
  readonly isOwnerAgentAlive: boolean;
  /** Agents of this kind that run below the owner's pane now. */
  readonly agentsInPane: readonly ProcessMark[];
}
