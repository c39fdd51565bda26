import type { ClosedSession } from '../../../core/close/find-receipt.ts';
import type { Reopening } from '../../../core/close/reopening.ts';
import type { LedgerError } from '../../../core/ledger/ledger-error.ts';
import type { LockSighting } from '../../../core/lock/sighting.ts';
import type { LostAs } from '../../../core/restore/over.ts';
import type { HostIdentity } from '../../../core/sight/identity.ts';
import type { SessionEntry } from '../../../core/sight/roll.ts';
import type { CallerEnvironment } from '../../../ports/actuator.ts';
import type { FirstEnd } from '../run-see.ts';

const FIRST_STEPS = ['intent', 'put-back', 'keep', 'start', 'lay-out', 'settle'] as const;

/** Every lasting step of a reopening, in order. */
export const REOPEN_STEPS = [...FIRST_STEPS, 'outcome'] as const;

/** The same of one that is made again asleep. */
export const REOPEN_ASLEEP_STEPS = [...FIRST_STEPS, 'asleep', 'outcome'] as const;

export type ReopenStep = Exclude<(typeof REOPEN_STEPS)[number], 'intent' | 'outcome'>;

/** What is to be reopened, and how. */
export interface ReopenOrder {
  readonly closed: ClosedSession;
  /** Only while it is still lost as it was listed; absent: it is wanted again, whatever came of it. */
  readonly lostAs?: LostAs;
  /** The session stands, and its agent has failed in it: only that is started again. */
  readonly isAgentOnly?: boolean;
  /** Null: the server that it was on. */
  readonly socketPath: string | null;
  /** The environment of whoever reopens it; absent: its programs have that of the tmux server. */
  readonly caller?: CallerEnvironment;
  /** Also from an archive of which the ledger has no digest, as earlier versions recorded none. */
  readonly isUnsealedEnough?: boolean;
  /** Null: the name it had. */
  readonly name: string | null;
  readonly onCollision: 'fail' | 'suffix';
  /** Programs that are no agents are not started: shells come in their place. */
  readonly isWithoutPrograms?: boolean;
  /** Its agent is to sleep, and a sleeper waits in its pane. */
  readonly isAsleep?: boolean;
  /** What is started in a pane without an agent. */
  readonly shell: string;
  readonly argv: readonly string[];
}

/** The same, once it is known where. */
export type PlacedReopen = ReopenOrder & { readonly socketPath: string };

export type ReopenResult =
  | {
      readonly state: 'reopened';
      readonly key: string;
      readonly name: string;
      readonly host: HostIdentity;
      readonly entry: SessionEntry | null;
      /** Where it is now. */
      readonly socketPath: string;
      readonly receipt: string | null;
      readonly reopening: Reopening;
      readonly missing: readonly string[];
      /** Files of its conversation that its agent had deleted, and that are there again. */
      readonly putBack: readonly string[];
      /** Its agent sleeps. */
      readonly isAsleep?: boolean;
    }
  | { readonly state: 'lives'; readonly entry: SessionEntry; readonly text: string }
  /** It is not lost any more: it was brought back, closed or completed since it was listed. */
  | { readonly state: 'over'; readonly text: string }
  /** Agents that no tmux session shows are still at it, or its own program outlived its session. */
  | { readonly state: 'outlived'; readonly kind: string; readonly pids: readonly number[] }
  /** Agents in its folder have not said yet which conversation they are in. `isYoung`: they have just been started. */
  | {
      readonly state: 'silent';
      readonly kind: string;
      readonly pids: readonly number[];
      readonly isYoung: boolean;
    }
  /** Those that it cannot do without; `offers`: how they can be made again. */
  | {
      readonly state: 'folders-missing';
      readonly folders: readonly string[];
      readonly offers: readonly string[];
    }
  | { readonly state: 'program-missing'; readonly program: string }
  | { readonly state: 'name-taken'; readonly name: string }
  /** What it would be made from cannot be had. */
  | { readonly state: 'not-kept'; readonly text: string }
  /** The archive is not the one that the ledger tells of, or the ledger does not tell. */
  | {
      readonly state: 'changed' | 'unsealed';
      readonly path: string;
      /** What the ledger itself has for starting it by hand. */
      readonly resume: readonly string[] | null;
    }
  | {
      readonly state: 'died';
      readonly name: string;
      readonly end: FirstEnd | null;
      readonly missing: readonly string[];
    }
  /** It is there again, and that could not be recorded; the next action does that. */
  | { readonly state: 'unrecorded'; readonly name: string; readonly error: LedgerError }
  | { readonly state: 'failed'; readonly text: string; readonly hint: string | null }
  | { readonly state: 'busy'; readonly by: LockSighting };
