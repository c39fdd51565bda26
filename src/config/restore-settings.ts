import { RESTORE_MODES, type RestoreMode } from '../core/restore/offer.ts';
import { setting, type ValuesOf } from './setting.ts';
import { oneOf } from './word-kinds.ts';

/** What happens after a crash or a reboot. It concerns the machine, so a project has no say. */
export const RESTORE_SETTINGS = {
  'restore.onBoot': setting(oneOf('restore', RESTORE_MODES, '"ask", "asleep" or "off"'), {
    default: 'ask',
    means:
      'What the daemon does when it finds sessions that were lost with their tmux server or with a reboot: `ask` offers once to restore them; `asleep` does the same, and after a reboot it brings back those with an agent, asleep. What it offered before the reboot it leaves to you.',
    why: 'An offer starts nothing. Fifty agents that start by themselves may take the memory that the machine went down for.',
  }),
};

export interface RestoreSettings {
  readonly onBoot: RestoreMode;
}

/** Gives each value its place. */
export function toRestoreSettings(values: ValuesOf<typeof RESTORE_SETTINGS>): RestoreSettings {
  return { onBoot: values['restore.onBoot'] };
}
