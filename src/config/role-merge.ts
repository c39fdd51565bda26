import type { ConfigRoleValue } from './check-config.ts';
import { formatRoleValue } from './parse-role-value.ts';
import type { RoleKey, RoleValue, RoleValues } from './role-settings.ts';
import { roleValue } from './role-settings.ts';

/** What became of one value. */
export type Took =
  | {
      readonly state: 'taken';
      /** It was added to what stood there. */
      readonly isAdded: boolean;
    }
  | { readonly state: 'same' }
  /** A project file asked for less care than there is. */
  | { readonly state: 'overruled'; readonly asked: string; readonly kept: string };

/** Collects what files say about roles, the user's own first. */
export class RoleMerge {
  readonly #values = new Map<string, Map<RoleKey, RoleValue>>();

  get values(): RoleValues {
    return this.#values;
  }

  take({ role, setting, value }: ConfigRoleValue): Took {
    const ofRole = this.#values.get(role) ?? new Map<RoleKey, RoleValue>();
    ofRole.set(setting.key, value);
    this.#values.set(role, ofRole);
    return { state: 'taken', isAdded: false };
  }

  /** Only what makes rollcall more careful; `idleAfterMs` holds for a role that has no time of its own. */
  takeFromProject(asked: ConfigRoleValue, idleAfterMs: number): Took {
    const { role, setting, value } = asked;
    const current = roleValue(this.#values, role, setting) ?? idleAfterMs;
    if (setting.kind === 'words') {
      const both = [...new Set([...(current as readonly string[]), ...(value as readonly string[])])];
      if (both.length === (current as readonly string[]).length) return { state: 'same' };
      this.take({ ...asked, value: Object.freeze(both) });
      return { state: 'taken', isAdded: true };
    }
    const rank = (one: RoleValue) =>
      setting.kind === 'choice' ? (setting.words as readonly RoleValue[]).indexOf(one) : Number(one);
    if (rank(value) > rank(current)) return this.take(asked);
    if (value === current) return { state: 'same' };
    const written = (one: RoleValue) => String(formatRoleValue(setting, one));
    return { state: 'overruled', asked: written(value), kept: written(current) };
  }
}
