import { setting, type ValuesOf } from './setting.ts';
import { onOff } from './word-kinds.ts';

/** When what sleeps wakes by itself. It concerns the machine, so a project has no say. */
export const WAKE_SETTINGS = {
  'wake.onAttach': setting(onOff, {
    default: 'off',
    means:
      'Whether an agent that is put to sleep from now on wakes as soon as somebody attaches to its session or switches to it.',
    why: 'Whoever passes through a session on the way to another would wake it, and take the memory back.',
  }),
};

export interface WakeSettings {
  readonly isOnAttach: boolean;
}

/** Gives each value its place. */
export function toWakeSettings(values: ValuesOf<typeof WAKE_SETTINGS>): WakeSettings {
  return { isOnAttach: values['wake.onAttach'] };
}
