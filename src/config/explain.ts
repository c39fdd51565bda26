import type { LoadedConfig } from './load.ts';
import { NOTIFY_RULE_SETTINGS } from './notify-settings.ts';
import { EVERY_ROLE, ROLE_SETTINGS, type RoleValues, roleIn } from './role-settings.ts';
import {
  formatValue,
  type ProjectMay,
  type SettingAbout,
  type Table,
  type Value,
  type Written,
} from './setting.ts';
import { SETTINGS } from './settings-table.ts';

/** One setting as `rollcall config explain` shows it; values are written as a file would have them. */
export interface ExplainedSetting {
  readonly key: string;
  readonly kind: SettingAbout['kind'];
  readonly value: Written;
  readonly default: Written;
  /** `default`, or the files that decided it. */
  readonly source: string;
  readonly bounds: SettingAbout['bounds'];
  readonly choices?: readonly string[];
  readonly projectMay: ProjectMay;
  readonly means: string;
  readonly why: string;
}

type Values = Readonly<Record<string, Value | undefined>>;

/**
 * Every setting with its value, where that came from, its bounds, and why the default is what it is; then what holds for
 * every role, what files say about single ones, and the notification rules.
 */
export function explainConfig(config: LoadedConfig): ExplainedSetting[] {
  const { values, roles, notify } = config;
  const names = [...roles.keys()].filter((role) => role !== EVERY_ROLE).sort();
  return [
    ...explainAll(config, SETTINGS, '', values),
    ...explainAll(config, ROLE_SETTINGS, `roles.${EVERY_ROLE}.`, roleFor(config, roles, EVERY_ROLE), {
      idleAfter: values.idleAfter,
    }),
    ...names.flatMap((role) => {
      const standard = roleFor(config, onlyEvery(roles), role);
      return explainAll(config, ROLE_SETTINGS, `roles.${role}.`, roles.get(role) ?? {}, standard);
    }),
    ...[...notify].flatMap(([rule, own]) =>
      explainAll(config, NOTIFY_RULE_SETTINGS, `notify.rules.${rule}.`, own),
    ),
  ];
}

/** All settings of a table that have a value. */
function explainAll(
  { sources }: LoadedConfig,
  table: Table,
  prefix: string,
  values: Values,
  defaults?: Values,
): ExplainedSetting[] {
  return Object.entries(table).flatMap(([name, { about }]) => {
    const value = values[name];
    if (value === undefined) return [];
    const { kind, bounds, choices, projectMay, means, why } = about;
    const standard = defaults?.[name];
    return [
      {
        key: prefix + name,
        kind,
        value: formatValue(about, value),
        default: standard === undefined ? (about.default ?? 'none') : formatValue(about, standard),
        source: sources.get(prefix + name)?.join(' + ') ?? 'default',
        bounds,
        ...(choices && { choices }),
        projectMay,
        means,
        why,
      },
    ];
  });
}

/** What holds for a role; without a time of its own it waits as long as all others do. */
function roleFor({ values: { idleAfter } }: LoadedConfig, roles: RoleValues, role: string): Values {
  return { idleAfter, ...roleIn(roles, role) };
}

// The default of a role is what holds for every role.
function onlyEvery(roles: RoleValues): RoleValues {
  const every = roles.get(EVERY_ROLE);
  return every ? new Map([[EVERY_ROLE, every]]) : new Map();
}
