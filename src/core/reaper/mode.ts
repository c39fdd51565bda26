/** What the reaper may do: nothing at all, decide and record without touching anything, or close. */
export const REAP_MODES = ['off', 'shadow', 'enforce'] as const;

export type ReapMode = (typeof REAP_MODES)[number];
