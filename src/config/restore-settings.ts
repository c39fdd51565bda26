import { RESTORE_MODES, type RestoreMode } from '../core/restore/mode.ts';

/** What happens after a crash or a reboot. It concerns the machine, so a project has no say. */
export const RESTORE_SETTINGS = [
  {
    key: 'restore.onBoot',
    kind: 'restore',
    default: RESTORE_MODES.indexOf('ask'),
    min: 0,
    max: RESTORE_MODES.length - 1,
    projectMay: 'nothing',
    means:
      'What the daemon does when it finds sessions that were lost with their tmux server or with a reboot: `ask` offers once to restore them; `asleep` does the same, and after a reboot it brings back those with an agent, asleep. What it offered before the reboot it leaves to you.',
    why: 'An offer starts nothing. Fifty agents that start by themselves may take the memory that the machine went down for.',
  },
] as const;

type RestoreValues = { readonly [S in (typeof RESTORE_SETTINGS)[number] as S['key']]: number };

export interface RestoreSettings {
  readonly onBoot: RestoreMode;
}

/** Gives each value its place. */
export function toRestoreSettings(values: RestoreValues): RestoreSettings {
  return { onBoot: RESTORE_MODES[values['restore.onBoot']] ?? 'off' };
}
