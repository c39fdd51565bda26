import type { LoadedConfig } from './load.ts';
import { formatNotifyValue } from './notify-rules.ts';
import type { NotifyKind, NotifySetting, NotifyValue } from './notify-settings.ts';
import { NOTIFY_RULE_SETTINGS } from './notify-settings.ts';
import { formatRoleValue } from './parse-role-value.ts';
import { formatValue } from './parse-value.ts';
import type { ProjectMay } from './project-may.ts';
import type { RoleKind, RoleSetting, RoleValue } from './role-settings.ts';
import { EVERY_ROLE, ROLE_SETTINGS, roleValue } from './role-settings.ts';
import type { Kind } from './settings-table.ts';
import { SETTINGS } from './settings-table.ts';

type Written = string | number | readonly string[] | readonly (readonly string[])[];

/** One setting as `rollcall config explain` shows it; values are written as a file would have them. */
export interface ExplainedSetting {
  readonly key: string;
  readonly kind: Kind | RoleKind | NotifyKind;
  readonly value: Written;
  readonly default: Written;
  /** `default`, or the files that decided it. */
  readonly source: string;
  readonly bounds: { readonly min: Written; readonly max: Written };
  readonly projectMay: ProjectMay;
  readonly means: string;
  readonly why: string;
}

/**
 * Every setting with its value, where that came from, its bounds, and why the default is what it is; then what holds for
 * every role, what files say about single ones, and the notification rules.
 */
export function explainConfig(config: LoadedConfig): ExplainedSetting[] {
  const settings = SETTINGS.map((setting) => ({
    key: setting.key,
    kind: setting.kind,
    value: formatValue(setting.kind, config.values[setting.key]),
    default: formatValue(setting.kind, setting.default),
    source: config.sources.get(setting.key)?.join(' + ') ?? 'default',
    bounds: { min: formatValue(setting.kind, setting.min), max: formatValue(setting.kind, setting.max) },
    projectMay: setting.projectMay,
    means: setting.means,
    why: setting.why,
  }));
  const names = [...config.roles.keys()].filter((role) => role !== EVERY_ROLE).sort();
  return [
    ...settings,
    ...ROLE_SETTINGS.map((setting) => explainRole(config, EVERY_ROLE, setting)),
    ...names.flatMap((role) => {
      const own = ROLE_SETTINGS.filter((setting) => config.roles.get(role)?.has(setting.key));
      return own.map((setting) => explainRole(config, role, setting));
    }),
    ...[...config.notify].flatMap(([rule, own]) =>
      NOTIFY_RULE_SETTINGS.flatMap((setting) => {
        const value = own.get(setting.key);
        return value === undefined ? [] : [explainRule(config, rule, setting, value)];
      }),
    ),
  ];
}

function explainRule(
  config: LoadedConfig,
  rule: string,
  setting: NotifySetting,
  value: NotifyValue,
): ExplainedSetting {
  const key = `notify.rules.${rule}.${setting.key}`;
  const isMeasured = setting.kind === 'duration' || setting.kind === 'switch';
  const written = (one: number) => (isMeasured ? formatValue(setting.kind, one) : one);
  return {
    ...{ key, kind: setting.kind, value: formatNotifyValue(setting, value) },
    default: setting.default === null ? 'none' : formatNotifyValue(setting, setting.default),
    source: config.sources.get(key)?.join(' + ') ?? 'default',
    bounds: { min: written(setting.min), max: written(setting.max) },
    projectMay: setting.projectMay,
    means: setting.means,
    why: setting.why,
  };
}

function explainRole(config: LoadedConfig, role: string, setting: RoleSetting): ExplainedSetting {
  const key = `roles.${role}.${setting.key}`;
  const written = (value: RoleValue | null) => formatRoleValue(setting, value ?? config.values.idleAfter);
  return {
    key,
    kind: setting.kind,
    value: written(roleValue(config.roles, role, setting)),
    default: written(roleValue(role === EVERY_ROLE ? new Map() : onlyEvery(config), role, setting)),
    source: config.sources.get(key)?.join(' + ') ?? 'default',
    bounds: { min: bound(setting, setting.min), max: bound(setting, setting.max) },
    projectMay: setting.projectMay,
    means: setting.means,
    why: setting.why,
  };
}

// The default of a role is what holds for every role.
function onlyEvery({ roles }: LoadedConfig): LoadedConfig['roles'] {
  const every = roles.get(EVERY_ROLE);
  return every ? new Map([[EVERY_ROLE, every]]) : new Map();
}

function bound(setting: RoleSetting, value: number): Written {
  if (setting.kind === 'duration') return formatValue('duration', value);
  return setting.kind === 'choice' ? (setting.words[value] ?? value) : value;
}
