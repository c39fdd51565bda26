import type { HookSighting } from '../core/doctor/sightings.ts';

/** Agents that rollcall can be told by. */
export type HookAgent = 'claude' | 'codex' | 'gemini' | 'opencode';

/** Everything the user does, or one repository only. */
export type HookScope = 'user' | 'project';

export type HookAction = 'install' | 'remove';

/** Why a file is left as it is, and what to do about it. */
export interface HookProblem {
  readonly file: string;
  readonly line: number | null;
  readonly text: string;
  readonly hint: string;
}

/** One file as it is and as it will be; null where there is none. */
export interface HookFileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Wholly made by rollcall: nothing of the user's is in it. */
  readonly isOwn: boolean;
  /** Where links lead: the file that is really written; null without links. */
  readonly leadsTo: string | null;
}

export interface AgentHookChange {
  readonly agent: HookAgent;
  readonly file: string;
  readonly outcome: 'installed' | 'updated' | 'already-installed' | 'removed' | 'not-installed';
  readonly events: readonly string[];
  /** What the user should know about it. */
  readonly notes: readonly string[];
}

/** Everything that an action would change. With a problem nothing is changed at all. */
export interface HookPlan {
  readonly action: HookAction;
  readonly scope: HookScope;
  readonly agents: readonly AgentHookChange[];
  readonly files: readonly HookFileChange[];
  readonly problems: readonly HookProblem[];
  /** The user said that links may lead out of the repository. */
  readonly mayFollow: boolean;
}

/** A file as it was before, kept in the state folder. */
export interface HookBackup {
  readonly file: string;
  readonly backup: string;
}

export type HookApplied =
  | {
      readonly state: 'done';
      readonly backups: readonly HookBackup[];
      /** What somebody else wrote at the same time, and may not stand in the file now. */
      readonly kept: readonly HookBackup[];
    }
  | {
      readonly state: 'failed';
      /** What was written before, and what it was. */
      readonly written: readonly string[];
      readonly backups: readonly HookBackup[];
      readonly kept: readonly HookBackup[];
      readonly problem: HookProblem;
    };

export interface HookStatus extends HookSighting {
  readonly agent: HookAgent;
  /** Events that are told to rollcall. */
  readonly events: readonly string[];
  readonly lastHeardAt: number | null;
  /** The file as it was before each change, the first one first. */
  readonly backups: readonly string[];
}

/** Puts rollcall's hooks into the agents' own settings, and takes them out again. */
export interface HookConfig {
  /** Agents that this user seems to use. */
  inUse(): readonly HookAgent[];
  /** Looks, and changes nothing. */
  plan(action: HookAction, agents: readonly HookAgent[], scope: HookScope, mayFollow?: boolean): HookPlan;
  /** Carries out a plan, unless a file has changed since. What changes from then on is looked at anew. */
  apply(plan: HookPlan): HookApplied;
  /** Without a project, that scope is left out. */
  status(agents: readonly HookAgent[]): readonly HookStatus[];
}
