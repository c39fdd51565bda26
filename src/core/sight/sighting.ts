import type { ProcessMark } from './identity.ts';

/** What the tmux sensor saw of one pane. A field that this tmux version does not report is absent, not guessed. */
export interface PaneSighting {
  readonly paneId: string;
  readonly windowIndex: number;
  readonly paneIndex: number;
  /** The pane that has the keyboard in the session's current window. */
  readonly isActive: boolean;
  /** Process that tmux started in the pane. */
  readonly pid: number;
  /** From tmux: its terminal is closed, which `withProvenEnds` tells from the end of its process. */
  readonly isDead: boolean;
  /** tmux calls it dead, and its process lives, or may: it let go of its terminal. */
  readonly hasNoTerminal?: true;
  readonly exitStatus?: number;
  readonly exitSignal?: string;
  /** Last output in the pane's window (whole seconds); moves for detached sessions too, unlike session_activity. */
  readonly lastOutputAt?: number;
  /** The program uses the alternate screen. */
  readonly isFullScreen?: boolean;
  /** Copy mode or another tmux mode holds the pane. */
  readonly isInMode: boolean;
  /** The pane's window belongs to more than one session. */
  readonly isWindowShared: boolean;
  /** Somebody piped a program to it (`pipe-pane`). */
  readonly isPiped?: true;
  readonly title: string;
  /** The terminal that its program was given; a pane without a program has none, and a dead one's may be another's by now. */
  readonly tty?: string;
  readonly startCommand: string;
  /** Where its program was started (3.3 on): all that is left of a dead pane's folder. */
  readonly startPath?: string;
  /** Only where the process sensor cannot tell (no /proc). */
  readonly currentPath?: string;
}

/** What the tmux sensor saw of one session. */
export interface SessionSighting {
  readonly sessionId: string;
  readonly name: string;
  readonly createdAtSeconds: number;
  /** Session group (`new-session -t`): its members share all windows. */
  readonly group?: string;
  readonly lastAttachedAt?: number;
  /** What `rollcall hold` wrote on it: when, in epoch seconds; or what anybody else wrote there. */
  readonly heldMark?: string;
  readonly panes: readonly PaneSighting[];
}

/** One attached client, of any kind. */
export interface ClientSighting {
  readonly sessionId: string;
  readonly tty: string;
  readonly pid: number;
  readonly lastInputAt?: number;
  /** A control-mode client is a program's, or a person's terminal (iTerm2): it counts as a person unless it is ours. */
  readonly isControl: boolean;
}

/** Why a server gave no answer. None of these means that its sessions are gone. */
export type ServerFailure = 'timeout' | 'stopped' | 'not-permitted' | 'garbled' | 'refused' | 'failed';

/** One of: present, exactly absent, failed. */
export type ServerSighting = { readonly socketPath: string; readonly observedAt: number } & (
  | {
      readonly state: 'present';
      readonly pid: number;
      readonly startTicks: number;
      readonly startedAt?: number;
      readonly version: string;
      readonly sessions: readonly SessionSighting[];
      readonly clients: readonly ClientSighting[];
    }
  | { readonly state: 'absent' }
  | {
      readonly state: 'failed';
      readonly failure: ServerFailure;
      readonly text: string;
      /** The server process, where the process sensor knows it. */
      readonly pid?: number;
      readonly startTicks?: number;
    }
);

/** The visible screen of one pane, or the word that it could not be had. */
export type ScreenSighting = { readonly paneId: string; readonly observedAt: number } & (
  | {
      readonly state: 'captured';
      readonly lines: readonly string[];
      /** The same rows as they were drawn, with the escape sequences of their colours. */
      readonly styled: readonly string[];
      /** In cells, on this very screen; null when the capture was cut off. */
      readonly cursor: { readonly x: number; readonly y: number; readonly width: number } | null;
    }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly text: string }
);

/** A shell and its terminal at one moment, during which it did not run; or why that could not be seen. */
export type ShellSighting =
  | {
      readonly state: 'seen';
      readonly pid: number;
      readonly startTicks: number;
      readonly observedAt: number;
      /** Its process group has the terminal. */
      readonly isInFront: boolean;
      readonly isAsleep: boolean;
      /** What it sleeps in: any wait for a descriptor to become readable, a read of its terminal, or something else. */
      readonly waitsIn: 'select' | 'read' | 'else';
      /** The terminal's settings as `stty -a` names them: `-icanon`, `echo`, `lnext=<undef>`. */
      readonly settings: ReadonlySet<string>;
      /** Facts that prompts tell; null where they cannot be read. */
      readonly user: string | null;
      readonly host: string;
      readonly home: string | null;
      readonly cwd: string | null;
      /** What git has checked out there. */
      readonly branch: string | null;
      /** PS1 as it was handed to the shell. */
      readonly givenPrompt: string | null;
    }
  | { readonly state: 'failed'; readonly text: string };

/** What the kernel tells of a shell's input without being asked for its terminal. */
export interface ShellGlance extends ProcessMark {
  readonly program: string;
  readonly observedAt: number;
  /** How often it was given a turn on the processor. */
  readonly turns: string;
  /** When its terminal was last read by anything, in whole seconds, as the kernel notes it. */
  readonly readAt: number;
  /** It sleeps until it gets input. */
  readonly isWaiting: boolean;
}

/** Operations of git that wait to be continued or aborted. */
export const GIT_OPERATIONS = [
  'rebase',
  'git am',
  'merge',
  'cherry-pick',
  'revert',
  'cherry-pick or revert',
  'bisect',
] as const;
export type GitOperation = (typeof GIT_OPERATIONS)[number];

/** What of one repository's work is not saved. */
export interface RepositoryFacts {
  /** Absent on a detached HEAD. */
  readonly branch?: string;
  /** Changed, staged, conflicted and untracked files together; a submodule with any of them counts as one. */
  readonly dirtyFiles: number;
  /** Commits that no remote has; absent where there is no remote to compare with. */
  readonly unpushedCommits?: number;
  readonly hasRemote: boolean;
  readonly stashes: number;
  /** HEAD's changes are in the main branch, also when they were squashed into one commit. */
  readonly isMerged: boolean;
  /** Absent where none is in progress. */
  readonly operation?: GitOperation;
  /** Other branches, checked out nowhere, with commits that no remote has, newest first; absent where there are none. */
  readonly branches?: readonly BranchSighting[];
}

/** A branch that is not HEAD's, or a tag, with commits that neither a remote nor HEAD has. */
export interface BranchSighting {
  readonly name: string;
  /** Absent where they were not counted. */
  readonly commits?: number;
  /** When it was last moved, or its last commit was made. */
  readonly changedAt: number;
  /** It was checked out in this work tree once, or nobody else could have made it. */
  readonly isOwn: boolean;
  /** Absent for branches. */
  readonly isTag?: boolean;
}

/** A repository in a folder below, with something that is not saved or cannot be told. */
export type BelowSighting = {
  /** From the folder that was looked at. */
  readonly path: string;
  /** The repository above holds it as a part of its own. */
  readonly isSubmodule: boolean;
  /** When something was last done in it. */
  readonly changedAt: number;
} & (
  | (RepositoryFacts & { readonly state: 'repository' })
  | { readonly state: 'failed'; readonly text: string }
);

/** The repositories below a folder. */
export interface BelowFacts {
  /** How many were looked at. */
  readonly count: number;
  readonly unsaved: readonly BelowSighting[];
  /** There were more folders, or more repositories, than are looked at. */
  readonly isCut: boolean;
}

/** git facts of one working directory. */
export type GitSighting = { readonly cwd: string; readonly observedAt: number } & (
  | (RepositoryFacts & {
      readonly state: 'repository';
      readonly root: string;
      readonly isLinkedWorktree: boolean;
      /** Where its commits are; absent where that is `.git` in its root. */
      readonly repository?: string;
      /** Absent where there is none. */
      readonly below?: BelowFacts;
    })
  | { readonly state: 'none'; readonly below?: BelowFacts }
  | { readonly state: 'failed'; readonly text: string }
);

/** A server that answered. */
export type PresentServer = Extract<ServerSighting, { state: 'present' }>;
