import type { VersionRange } from '../agent/version.ts';
import type { Head } from '../ledger/chain.ts';
import type { LedgerDamage } from '../ledger/verify-chain.ts';
import type { LockSighting } from '../lock/sighting.ts';
import type { Reading } from '../pressure/reading.ts';
import type { Breaker, ReapMode } from '../reaper/standing.ts';

/** A tmux server that answered: on which socket, and which process. */
export interface AnsweringServer {
  readonly socketPath: string;
  readonly pid: number;
}

/** What a tmux server says of its settings, in one answer. */
export type ServerSettings = AnsweringServer &
  (
    | {
        readonly state: 'read';
        /** Server and global options by name, as `off`, `on` or the word that tmux has for them. */
        readonly options: Readonly<Record<string, string>>;
        /** Sessions that are destroyed when nobody is attached, by their `$id`, with the option's word. */
        readonly destroyed: readonly { readonly sessionId: string; readonly value: string }[];
        /** Marks of agents that its global environment hands to every new pane, by name; null where it was not understood. */
        readonly leaked: readonly string[] | null;
      }
    | { readonly state: 'failed'; readonly text: string }
  );

/** Where a tmux server stands among the logins of its user. */
export interface ServerScope extends AnsweringServer {
  /** `login`: in the scope of one login; `user`: under the user's manager; null where its cgroup cannot be read. */
  readonly kind: 'login' | 'user' | 'elsewhere' | null;
  /** The unit it stands in, `session-3.scope` or `user@1000.service`; empty for none. */
  readonly unit: string;
}

/** What becomes of processes when their user logs out. */
export interface LoginSighting {
  readonly servers: readonly ServerScope[];
  /** Null where no file says so: the default is the distribution's. */
  readonly endsAtLogout: boolean | null;
  /** The file that says so. */
  readonly source: string | null;
  /** The user's manager outlives the last login; null where that cannot be told. */
  readonly lingers: boolean | null;
  readonly user: string;
}

/** Room on the file system of the state folder. */
export type DiskSighting =
  | {
      readonly state: 'read';
      readonly path: string;
      readonly totalBytes: number;
      /** To this user. */
      readonly availableBytes: number;
      /** Of files that there may be and that there may still be; 0 of 0 where the file system does not count them. */
      readonly totalFiles: number;
      readonly freeFiles: number;
    }
  | { readonly state: 'failed'; readonly path: string; readonly text: string };

/** One entry below the state folder. */
export interface OwnFileSighting {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'socket' | 'link' | 'other';
  /** Rights, the lowest nine bits. */
  readonly mode: number;
  readonly isOwn: boolean;
  readonly modifiedAt: number;
  readonly sizeBytes: number;
  /** Changes when another file takes its place, or when it is written to. */
  readonly mark: string;
}

/** Everything in a folder of rollcall's. */
export type FolderSighting =
  | {
      readonly state: 'read';
      readonly path: string;
      readonly entries: readonly OwnFileSighting[];
      /** There are more than were looked at. */
      readonly isCut: boolean;
    }
  | { readonly state: 'absent'; readonly path: string }
  | { readonly state: 'refused'; readonly path: string; readonly text: string; readonly hint: string };

/** What the daemon wrote about itself when it started. */
export type DaemonFound =
  | { readonly state: 'none' }
  | { readonly state: 'unreadable'; readonly path: string; readonly text: string }
  | {
      readonly state: 'read';
      readonly path: string;
      readonly pid: number;
      readonly startTicks: number;
      readonly bootId: string;
      readonly pidNamespace?: string;
      readonly startedAt: number;
      /** What it has to do without, in words. */
      readonly problems: readonly string[];
      /** Wall clock; null where it does not tell. */
      readonly lastRoundAt: number | null;
    };

/** What the hooks of one agent are in one scope. */
export interface HookSighting {
  readonly agent: string;
  readonly scope: 'user' | 'project';
  readonly file: string;
  readonly state: 'installed' | 'partly' | 'outdated' | 'script-missing' | 'not-installed' | 'unreadable';
  /** Events that should be told to rollcall and are not. */
  readonly missing: readonly string[];
  /** The agent's own settings keep it from running any hook. */
  readonly isSwitchedOff: boolean;
  /** Only where the agent asks its user to review hooks. */
  readonly review: 'reviewed' | 'changed' | 'unreviewed' | null;
  readonly notes: readonly string[];
  /** What somebody wrote to the file while rollcall did, and may not stand in it. */
  readonly kept: readonly string[];
  /** Backups beside the file, by earlier versions: they hold what the file held. */
  readonly oldBackups: readonly string[];
}

/** An agent program on this machine, whether or not it runs. */
export interface InstalledAgent {
  readonly kind: string;
  readonly path: string;
  /** Null when it did not tell in time. */
  readonly version: string | null;
  /** The versions on which everything rollcall knows of it was verified; null where only its process is known. */
  readonly verified: VersionRange | null;
  readonly isVerified: boolean;
}

/** What came of a full check of the ledger. */
export type LedgerSighting =
  | {
      readonly state: 'checked';
      readonly path: string;
      readonly isEmpty: boolean;
      readonly head: Head;
      readonly damage: LedgerDamage | null;
      /** When its last entry was recorded; null for none. */
      readonly lastAt: number | null;
    }
  | { readonly state: 'failed'; readonly text: string; readonly hint: string };

export type LocksSighting =
  | { readonly state: 'seen'; readonly locks: readonly LockSighting[] }
  | { readonly state: 'failed'; readonly text: string; readonly hint: string };

/** Sessions with such a name belong to somebody: to the owner behind the pattern, or to whoever claimed them. */
export interface OrphanPattern {
  readonly pattern: string;
  /** A folder, or `pid:PID.START`; null where the session has to name its own. */
  readonly owner: string | null;
}

/** What the machine checks look at. */
export interface MachineSightings {
  readonly settings: readonly ServerSettings[];
  readonly login: LoginSighting;
  readonly disk: DiskSighting;
  readonly stateFolder: FolderSighting;
  readonly spool: FolderSighting;
  readonly daemon: DaemonFound;
  readonly hooks: readonly HookSighting[];
  /** Null where nobody was asked. */
  readonly installed: readonly InstalledAgent[] | null;
  readonly readings: readonly Reading[];
  readonly ledger: LedgerSighting;
  readonly locks: LocksSighting;
  readonly programs: readonly ProgramSighting[];
  readonly reaper: ReaperSighting;
  readonly conversations: ConversationsSighting;
}

/** What the session checks look at besides the roll and the ledger. */
export interface CareSightings {
  /** Of the folders that sessions name as theirs, those that are gone although the folder above is there. */
  readonly missingFolders: ReadonlySet<string>;
  orphanPattern(name: string): OrphanPattern | undefined;
  /** A hold that is older has probably outlived its reason, ms. */
  readonly staleHoldMs: number;
}

/** A program that rollcall runs to look. */
export interface ProgramSighting {
  readonly name: 'tmux' | 'git';
  readonly isFound: boolean;
  /** Where it was looked for. */
  readonly path: string;
}

/** What the reaper may do, as it is kept. */
export interface ReaperSighting {
  readonly mode: ReapMode;
  readonly breaker: Breaker | null;
  /** Why it could not be read. */
  readonly problem: string | null;
}

/** A conversation of a receipt that nobody has any more: its agent deleted it, and its copy went to make room. */
export interface LostConversation {
  readonly receipt: string;
  readonly agent: string;
  readonly removedAt: number;
  /** Where its agent kept it. */
  readonly path: string;
}

/** What the copies of conversations take. */
export interface ConversationsSighting {
  readonly count: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly lost: readonly LostConversation[];
}
