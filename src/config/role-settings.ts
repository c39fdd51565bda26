import * as v from 'valibot';
import { ON_COMPLETE, REQUIREMENTS, type RolePolicies, type RolePolicy } from '../core/verdict/policy.ts';
import { duration } from './measure-kinds.ts';
import { placeIn, type SettingPlace, setting, unset, type Value, type ValuesOf } from './setting.ts';
import { anyOf, choice, commands } from './word-kinds.ts';

/** Every setting of a role: `roles.NAME.KEY`. `roles.*` holds for sessions of every role, and for those without one. */
export const ROLE_SETTINGS = Object.freeze({
  onComplete: setting(choice(ON_COMPLETE), {
    default: 'retain',
    projectMay: 'raise',
    means:
      'What becomes of a session whose work was declared complete: kept for retainFor, closable once it is idle, or kept for good.',
    why: 'Whoever declared the work done may want to look at it once more.',
  }),
  retainFor: setting(duration('0s', '30d'), {
    default: '10m',
    projectMay: 'raise',
    means: 'Time for which it is kept after the completion, and after every later turn.',
    why: 'Enough to read the last answer or to ask for one thing more, and short enough to give memory back.',
  }),
  idleAfter: unset(duration('1m', '30d'), {
    projectMay: 'raise',
    means: 'Rest after which an idle agent of this role is no longer recent.',
    why: 'Without a value of its own a role waits as long as all others do.',
  }),
  requires: setting(anyOf(REQUIREMENTS), {
    default: [],
    projectMay: 'add',
    means: 'What git has to say before a completion is accepted.',
    why: 'Empty: not every role works in a repository, and unsaved work keeps a session from being closed anyway.',
  }),
  commands: setting(commands(20), {
    default: [],
    means: 'Commands that have to end with status 0 before a completion is accepted; run without a shell.',
    why: 'Empty: what proves that work is done differs from role to role.',
  }),
  commandTimeout: setting(duration('1s', '1d'), {
    default: '5m',
    means: 'Time that each of these commands has; after it, it counts as failed.',
    why: 'A usual test run takes less, and nobody waits longer for one that hangs.',
  }),
});

/** The role that stands for all of them. */
export const EVERY_ROLE = '*';

const ROLE_NAME = /^(?:\*|[A-Za-z0-9][A-Za-z0-9_.:-]{0,63})$/;

/** What a key such as `roles.worker.retainFor` names; null for one that is no setting of a role. */
export function roleSettingIn(key: string): SettingPlace | null {
  const [first, ...rest] = key.split('.');
  const name = rest.pop() ?? '';
  const owner = rest.join('.');
  return first === 'roles' && ROLE_NAME.test(owner) ? placeIn(ROLE_SETTINGS, name, owner) : null;
}

/** What files say about roles, by role and key. */
export type RoleValues = ReadonlyMap<string, Readonly<Record<string, Value>>>;

const schema = v.object(ROLE_SETTINGS);

/** The values that hold for a role: its own, those of every role, or the defaults. */
export function roleIn(values: RoleValues, role: string): ValuesOf<typeof ROLE_SETTINGS> {
  // Each file was read before. What two of them say together may be more than one of them may say.
  return { ...v.parse(schema, {}), ...values.get(EVERY_ROLE), ...values.get(role) };
}

/** The policies of all roles that files name, and the one for all others. */
export function toRolePolicies(values: RoleValues): RolePolicies {
  const names = [...values.keys()].filter((role) => role !== EVERY_ROLE);
  return {
    roles: new Map(names.map((role) => [role, policyOf(values, role)])),
    defaultRole: policyOf(values, EVERY_ROLE),
  };
}

function policyOf(values: RoleValues, name: string): RolePolicy {
  const { retainFor, idleAfter = null, commandTimeout, ...role } = roleIn(values, name);
  return { ...role, retainForMs: retainFor, idleAfterMs: idleAfter, commandTimeoutMs: commandTimeout };
}
