import type { RolePolicy } from '../core/verdict/role.ts';
import { ON_COMPLETE, REQUIREMENTS } from '../core/verdict/role.ts';
import type { ProjectMay } from './project-may.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** How a value of a role is written: a span of time, one word of several, several of them, or command lines. */
export type RoleKind = 'duration' | 'choice' | 'words' | 'commands';

export type RoleValue = number | string | readonly string[] | readonly (readonly string[])[];

interface RoleSettingShape {
  readonly key: string;
  readonly kind: RoleKind;
  /** Null: what the setting of the same name for all sessions says. */
  readonly default: RoleValue | null;
  /** Of a number its least value, of a list its least length, of a choice its place among the words. */
  readonly min: number;
  readonly max: number;
  /** The words there are, the most careful last. */
  readonly words?: readonly string[];
  readonly projectMay: ProjectMay;
  readonly means: string;
  readonly why: string;
}

/** Every setting of a role: `roles.NAME.KEY`. `roles.*` holds for sessions of every role, and for those without one. */
export const ROLE_SETTINGS = Object.freeze([
  {
    key: 'onComplete',
    kind: 'choice',
    default: 'retain',
    min: 0,
    max: ON_COMPLETE.length - 1,
    words: ON_COMPLETE,
    projectMay: 'raise',
    means:
      'What becomes of a session whose work was declared complete: kept for retainFor, closable once it is idle, or kept for good.',
    why: 'Whoever declared the work done may want to look at it once more.',
  },
  {
    key: 'retainFor',
    kind: 'duration',
    default: 10 * MINUTE,
    min: 0,
    max: 30 * DAY,
    projectMay: 'raise',
    means: 'Time for which it is kept after the completion, and after every later turn.',
    why: 'Enough to read the last answer or to ask for one thing more, and short enough to give memory back.',
  },
  {
    key: 'idleAfter',
    kind: 'duration',
    default: null,
    min: MINUTE,
    max: 30 * DAY,
    projectMay: 'raise',
    means: 'Rest after which an idle agent of this role is no longer recent.',
    why: 'Without a value of its own a role waits as long as all others do.',
  },
  {
    key: 'requires',
    kind: 'words',
    default: [],
    min: 0,
    max: REQUIREMENTS.length,
    words: REQUIREMENTS,
    projectMay: 'add',
    means: 'What git has to say before a completion is accepted.',
    why: 'Empty: not every role works in a repository, and unsaved work keeps a session from being closed anyway.',
  },
  {
    key: 'commands',
    kind: 'commands',
    default: [],
    min: 0,
    max: 20,
    projectMay: 'nothing',
    means: 'Commands that have to end with status 0 before a completion is accepted; run without a shell.',
    why: 'Empty: what proves that work is done differs from role to role.',
  },
  {
    key: 'commandTimeout',
    kind: 'duration',
    default: 5 * MINUTE,
    min: SECOND,
    max: DAY,
    projectMay: 'nothing',
    means: 'Time that each of these commands has; after it, it counts as failed.',
    why: 'A usual test run takes less, and nobody waits longer for one that hangs.',
  },
] as const satisfies readonly RoleSettingShape[]);

export type RoleSetting = (typeof ROLE_SETTINGS)[number];
export type RoleKey = RoleSetting['key'];

/** The role that stands for all of them. */
export const EVERY_ROLE = '*';

const ROLE_NAME = /^(?:\*|[A-Za-z0-9][A-Za-z0-9_.:-]{0,63})$/;

/** What a key such as `roles.worker.retainFor` names; null for one that is no setting of a role. */
export function roleSettingIn(key: string): { readonly role: string; readonly setting: RoleSetting } | null {
  const [first, ...rest] = key.split('.');
  const setting = ROLE_SETTINGS.find((candidate) => candidate.key === rest.at(-1));
  const role = rest.slice(0, -1).join('.');
  return first === 'roles' && setting && ROLE_NAME.test(role) ? { role, setting } : null;
}

/** What files say about roles, by role and key. */
export type RoleValues = ReadonlyMap<string, ReadonlyMap<RoleKey, RoleValue>>;

/** The value that holds for a role: its own, that of every role, or the default. */
export function roleValue(values: RoleValues, role: string, setting: RoleSetting): RoleValue | null {
  return values.get(role)?.get(setting.key) ?? values.get(EVERY_ROLE)?.get(setting.key) ?? setting.default;
}

/** The policies of all roles that files name, and the one for all others. */
export function toRolePolicies(values: RoleValues): {
  readonly roles: ReadonlyMap<string, RolePolicy>;
  readonly defaultRole: RolePolicy;
} {
  const policyOf = (role: string): RolePolicy => {
    const value = (key: RoleKey) => roleValue(values, role, settingOf(key));
    return {
      onComplete: value('onComplete') as RolePolicy['onComplete'],
      retainForMs: value('retainFor') as number,
      idleAfterMs: value('idleAfter') as number | null,
      requires: value('requires') as RolePolicy['requires'],
      commands: value('commands') as RolePolicy['commands'],
      commandTimeoutMs: value('commandTimeout') as number,
    };
  };
  const names = [...values.keys()].filter((role) => role !== EVERY_ROLE);
  return { roles: new Map(names.map((role) => [role, policyOf(role)])), defaultRole: policyOf(EVERY_ROLE) };
}

function settingOf(key: RoleKey): RoleSetting {
  return ROLE_SETTINGS.find((setting) => setting.key === key) as RoleSetting;
}
