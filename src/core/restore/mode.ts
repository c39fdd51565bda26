/** What the daemon does about sessions that were lost with their server: nothing, offer once to restore them, or also bring agents back asleep after a boot. */
export const RESTORE_MODES = ['off', 'ask', 'asleep'] as const;

export type RestoreMode = (typeof RESTORE_MODES)[number];
