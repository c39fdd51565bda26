import type { NotifyPolicy, NotifyRule } from '../core/notify/rule.ts';
import type { PressurePolicy } from '../core/pressure/policy.ts';
import type { ReaperPolicy } from '../core/reaper/policy.ts';
import type { Policy, RolePolicies } from '../core/verdict/policy.ts';
import { type ArchiveSettings, toArchiveSettings } from './archive-settings.ts';
import type { BrokenProject } from './broken-project.ts';
import { type DaemonSettings, toDaemonSettings } from './daemon-settings.ts';
import { type DoctorSettings, toDoctorSettings } from './doctor-settings.ts';
import { type HistorySettings, toHistorySettings } from './history-settings.ts';
import { toPressurePolicy } from './pressure-settings.ts';
import { toReaperPolicy } from './reaper-settings.ts';
import { type RestoreSettings, toRestoreSettings } from './restore-settings.ts';
import { type RoleValues, toRolePolicies } from './role-settings.ts';
import { type SettingValues, settingValues } from './settings-table.ts';
import { toWakeSettings, type WakeSettings } from './wake-settings.ts';

/** The settings as the rest of rollcall takes them. */
export interface Settings extends RolePolicies {
  readonly policy: Policy;
  readonly protect: readonly string[];
  readonly tmux: { readonly timeoutMs: number };
  readonly git: { readonly timeoutMs: number; readonly parallel: number };
  readonly watch: { readonly everyMs: number };
  readonly pressure: PressurePolicy;
  readonly reaper: ReaperPolicy;
  readonly daemon: DaemonSettings;
  readonly doctor: DoctorSettings;
  readonly history: HistorySettings;
  readonly archive: ArchiveSettings;
  readonly wake: WakeSettings;
  readonly restore: RestoreSettings;
  readonly notify: NotifyPolicy;
  /** The project in which the command runs, where its file is wrong. */
  readonly brokenProject?: BrokenProject;
  /** What the files say, letter by letter; null where there is more to say about them. */
  readonly written?: string | null;
}

/** Gives each value its place and its unit in the name. */
export function toSettings(
  values: SettingValues,
  roleValues: RoleValues = new Map(),
  notifyRules: readonly NotifyRule[] = [],
): Settings {
  const roles = toRolePolicies(roleValues);
  return {
    ...roles,
    policy: {
      ...roles,
      freshMs: values.freshFor,
      idleAfterMs: values.idleAfter,
      exitedAfterMs: values.exitedAfter,
      confirmMs: values.confirmFor,
      hungAfterMs: values.hungAfter,
      startingMs: values.startingFor,
      recentInputMs: values.recentInput,
      workingCpuPercent: values.workingCpuPercent,
      workingIoBytesPerSecond: values.workingIoPerSecond,
    },
    protect: values.protect,
    tmux: { timeoutMs: values['tmux.timeout'] },
    git: { timeoutMs: values['git.timeout'], parallel: values['git.parallel'] },
    watch: { everyMs: values['watch.every'] },
    pressure: toPressurePolicy(values, values.freshFor),
    history: toHistorySettings(values),
    archive: toArchiveSettings(values),
    restore: toRestoreSettings(values),
    reaper: toReaperPolicy(values, values.freshFor),
    daemon: toDaemonSettings(values),
    doctor: toDoctorSettings(values),
    wake: toWakeSettings(values),
    notify: {
      rules: notifyRules,
      againMs: values['notify.again'],
      perHour: values['notify.perHour'],
    },
  };
}

/** What holds when no file says anything. */
export function defaultValues(): SettingValues {
  return settingValues({});
}
