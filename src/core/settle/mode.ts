/** What the daemon does with sessions that are due: nothing, tell what it would close, or close them. */
export const SETTLE_MODES = ['off', 'shadow', 'on'] as const;

export type SettleMode = (typeof SETTLE_MODES)[number];
