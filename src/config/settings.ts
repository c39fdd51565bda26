import type { NotifyPolicy, NotifyRule } from '../core/notify/rule.ts';
import type { ReaperPolicy } from '../core/reaper/policy.ts';
import type { Policy } from '../core/verdict/policy.ts';
import type { BrokenProject } from './broken-project.ts';
import { toPressurePolicy } from './pressure-settings.ts';
import { type RoleValues, toRolePolicies } from './role-settings.ts';
import { type SettingValues, settingValues } from './settings-table.ts';

/** The settings as the rest of rollcall takes them. */
export interface Settings extends Readonly<ReturnType<typeof toSettings>> {
  /** The project in which the command runs, where its file is wrong. */
  readonly brokenProject?: BrokenProject;
}

/** Brings the values into the form that the rest takes, with their units in the names. */
export function toSettings(
  values: SettingValues,
  roleValues: RoleValues = new Map(),
  notifyRules: readonly NotifyRule[] = [],
) {
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
    } satisfies Policy,
    protect: values.protect,
    tmux: { timeoutMs: values['tmux.timeout'] },
    git: { timeoutMs: values['git.timeout'], parallel: values['git.parallel'] },
    watch: { everyMs: values['watch.every'] },
    pressure: toPressurePolicy(values, values.freshFor),
    history: { maxBytes: values['history.maxBytes'], keepMs: values['history.keepFor'] },
    archive: { keepConversationsBytes: values['archive.keepConversations'] },
    restore: { onBoot: values['restore.onBoot'] },
    reaper: {
      longIdleFrom: values['reaper.longIdleFrom'],
      idleAfterMs: values['reaper.idleAfter'],
      confirmMs: values['reaper.confirm'],
      graceMs: values['reaper.grace'],
      settleMs: values['reaper.settle'],
      perHour: values['reaper.perHour'],
      prefer: values['reaper.prefer'],
      freshMs: values.freshFor,
    } satisfies ReaperPolicy,
    daemon: {
      isHttpOn: values['daemon.http'],
      port: values['daemon.port'],
      hasTmuxHooks: values['daemon.tmuxHooks'],
      settle: values['daemon.settle'],
    },
    doctor: {
      orphanPatterns: values['doctor.orphanPatterns'].map(toOrphanPattern),
      staleHoldMs: values['doctor.staleHoldAfter'],
    },
    wake: { isOnAttach: values['wake.onAttach'] },
    notify: {
      rules: notifyRules,
      againMs: values['notify.again'],
      perHour: values['notify.perHour'],
    } satisfies NotifyPolicy,
  };
}

// `GLOB=OWNER`: at the first `=` before something that can be an owner, since names and paths may have one too.
function toOrphanPattern(written: string): { readonly pattern: string; readonly owner: string | null } {
  const match = /^(.+?)=(\/.*|pid:\d+(?:\.\d+)?)$/s.exec(written);
  return { pattern: match?.[1] ?? written, owner: match?.[2] ?? null };
}

/** What holds when no file says anything. */
export function defaultValues(): SettingValues {
  return settingValues({});
}
