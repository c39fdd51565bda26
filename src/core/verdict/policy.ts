/** The times and bounds that the classifier works with; config fills them in. */
export interface Policy extends RolePolicies {
  /** Evidence older than this says nothing about now. */
  readonly freshMs: number;
  /** Rest after which an idle agent is no longer recent. */
  readonly idleAfterMs: number;
  /** Rest after which what an exited agent left behind is no longer recent. */
  readonly exitedAfterMs: number;
  /** Awake time over which a live agent must be seen quiet before its idleness counts. */
  readonly confirmMs: number;
  /** A running command without any progress for this long is called stale. */
  readonly hungAfterMs: number;
  /** A process younger than this is starting. */
  readonly startingMs: number;
  /** Input from a person counts as recent for this long. */
  readonly recentInputMs: number;
  /** Use of one core that counts as work. */
  readonly workingCpuPercent: number;
  /** Storage traffic that counts as work. */
  readonly workingIoBytesPerSecond: number;
}

/** What becomes of a session whose work is complete, the most careful last. */
export const ON_COMPLETE = ['close-after-idle', 'retain', 'keep'] as const;
export type OnComplete = (typeof ON_COMPLETE)[number];

/** What git may be asked for before a completion is accepted. */
export const REQUIREMENTS = ['clean', 'pushed'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** How sessions of one role are dealt with; config fills it in. */
export interface RolePolicy {
  readonly onComplete: OnComplete;
  /** How long a session is kept after its work was declared complete and its last turn was over. */
  readonly retainForMs: number;
  /** Rest after which an idle agent of this role is no longer recent; null: as for every session. */
  readonly idleAfterMs: number | null;
  readonly requires: readonly Requirement[];
  /** Commands that have to end with status 0 before a completion is accepted; never through a shell. */
  readonly commands: readonly (readonly string[])[];
  readonly commandTimeoutMs: number;
}

/** All roles that config knows, and what holds for every other session. */
export interface RolePolicies {
  readonly roles: ReadonlyMap<string, RolePolicy>;
  readonly defaultRole: RolePolicy;
}

/** The policy for sessions of a role. */
export function rolePolicy(
  { roles, defaultRole }: RolePolicies,
  role: string | null | undefined,
): RolePolicy {
  return (typeof role === 'string' ? roles.get(role) : undefined) ?? defaultRole;
}
