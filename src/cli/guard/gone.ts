import type { GuardedSession } from '../../contract/guard-document.ts';
import type { Death } from '../../core/guard/gone.ts';
import type { Guarded } from '../../core/guard/guarded.ts';
import type { Departed } from '../../core/memory/departed.ts';
import type { ServerIdentity } from '../../core/sight/identity.ts';
import { labelOf } from '../../engine/look/session-entry.ts';
import type { Handles } from '../../operations/select-session.ts';
import type { GuardProbes } from '../../ports/guard.ts';

/** Who is guarded, resolved once: alive, or dead before anybody watched. */
export type Resolved = { readonly session: GuardedSession; readonly name: string } & (
  | { readonly state: 'alive'; readonly guarded: Guarded }
  | { readonly state: 'dead'; readonly death: Death }
);

/** Everything by which a session that is gone can be named and told of. */
export function handlesOf({ key, name, sessionId, panes, server }: Departed): Handles & GuardedSession {
  const { socketPath, pid } = server;
  return { key, name, sessionId, panes, server: { socketPath, label: labelOf(socketPath), pid } };
}

/** Whether the very process of a server has ended, by the kernel's word; never of one that nobody has seen here. */
export function hasEnded(
  { pid, startTicks }: ServerIdentity,
  probes: Pick<GuardProbes, 'openPulse'>,
): boolean {
  if (startTicks === 0) return false;
  const pulse = probes.openPulse({ pid, startTicks });
  try {
    return pulse.read().state === 'dead';
  } finally {
    pulse.close();
  }
}
