import type { Cause } from './judge-guarded.ts';
import type { PaneFate } from './pane-fate.ts';

export const SUGGESTED_ACTIONS = ['restart', 'fix-command', 'check-replacement'] as const;

/** What an orchestrator may do about a death. */
export interface Advice {
  readonly recoverable: boolean;
  readonly suggestedAction: (typeof SUGGESTED_ACTIONS)[number];
}

// How shells say that a program is not there, or is none.
const UNSTARTABLE: ReadonlySet<number | null | undefined> = new Set([126, 127]);

/** Nearly every death is mended by a restart; a program that cannot be started is not, and a taken name is in its way. */
export function adviceOn(cause: Cause, fates: readonly PaneFate[]): Advice {
  const isUnstartable = fates.some((fate) => fate.state === 'died' && UNSTARTABLE.has(fate.exit?.status));
  if (isUnstartable) return { recoverable: false, suggestedAction: 'fix-command' };
  if (cause === 'session-replaced') return { recoverable: true, suggestedAction: 'check-replacement' };
  return { recoverable: true, suggestedAction: 'restart' };
}
