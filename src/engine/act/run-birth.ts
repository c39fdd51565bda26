import type { JsonObject } from '../../core/ledger/json.ts';
import type { HostIdentity } from '../../core/sight/identity.ts';
import { sessionKey } from '../../core/sight/identity.ts';
import type { PaneTarget, Started } from '../../ports/actuator.ts';
import type { Hands } from './hands.ts';

/** A session that tmux said it has started, or that was found to be started. */
export interface Birth {
  readonly name: string;
  readonly pane: PaneTarget;
}

/** Who it is that tmux has started just now. */
export function birthOf(hands: Hands, started: Extract<Started, { readonly state: 'started' }>): Birth {
  const { name, sessionId, createdAtSeconds, paneId, pid } = started;
  const startTicks = hands.processes.sense().byPid.get(started.server.pid)?.startTicks ?? 0;
  const server = { ...started.server, startTicks };
  return { name, pane: { session: { server, sessionId, createdAtSeconds }, paneId, pid } };
}

/** The key of a session, seen or not. */
export function keyOf(host: HostIdentity, { pane }: Birth): string {
  return sessionKey(host, pane.session);
}

/** Who a started session is: everything that its key is made of, and its first pane. */
export function birthBody({ pane }: Birth, run: string): JsonObject {
  const { session, paneId, pid } = pane;
  const { server, sessionId, createdAtSeconds } = session;
  return { run, server: { ...server }, sessionId, createdAtSeconds, paneId, pid };
}
