/** When what sleeps wakes by itself. It concerns the machine, so a project has no say. */
export const WAKE_SETTINGS = [
  {
    key: 'wake.onAttach',
    kind: 'switch',
    default: 0,
    min: 0,
    max: 1,
    projectMay: 'nothing',
    means:
      'Whether an agent that is put to sleep from now on wakes as soon as somebody attaches to its session or switches to it.',
    why: 'Whoever passes through a session on the way to another would wake it, and take the memory back.',
  },
] as const;

type WakeValues = { readonly [S in (typeof WAKE_SETTINGS)[number] as S['key']]: number };

export interface WakeSettings {
  readonly isOnAttach: boolean;
}

/** Gives each value its place. */
export function toWakeSettings(values: WakeValues): WakeSettings {
  return { isOnAttach: values['wake.onAttach'] === 1 };
}
