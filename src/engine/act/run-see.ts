import type { HostIdentity } from '../../core/identity.ts';
import type { PaneEntry, Roll, SessionEntry } from '../../core/roll.ts';
import { identityOf } from '../../core/roll.ts';
import type { PaneTarget } from '../../ports/actuator.ts';
import { silentServers } from '../silent-servers.ts';
import type { Hands } from './hands.ts';
import type { Birth } from './run-birth.ts';

/** What became of it in its first moments. */
export type Seen = { readonly host: HostIdentity } & (
  | { readonly state: 'alive'; readonly entry: SessionEntry }
  /** Its program has ended; the pane still tells how. */
  | { readonly state: 'dead'; readonly entry: SessionEntry; readonly pane: PaneEntry }
  /** The server answers without it. */
  | { readonly state: 'gone' }
  /** Nobody could tell within the time. */
  | { readonly state: 'unseen' }
);

/** A program that cannot even begin ends well within that. */
const SETTLED_MS = 250;
const GIVE_UP_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** tmux (up to 3.5, built with utempter) sometimes learns late how a program ended. */
const STATUS_MS = 1000;

/** Looks until the session is seen with its program alive for a moment, or ended. */
export async function seeBirth(hands: Hands, { pane: target }: Birth): Promise<Seen> {
  const { socketPath } = target.session.server;
  const startedAt = hands.now();
  for (;;) {
    const roll = await hands.look({ servers: [socketPath] });
    const { host } = roll;
    const ageMs = hands.now() - startedAt;
    const entry = entryOf(roll, target);
    const pane = entry?.panes.find(({ paneId }) => paneId === target.paneId);
    if (entry && pane) {
      const isTold = pane.exitStatus !== null || pane.exitSignal !== null;
      if (pane.isDead && (isTold || ageMs >= STATUS_MS)) return { state: 'dead', host, entry, pane };
      if (pane.isDead) await hands.tmux.wake(target.session);
      if (!pane.isDead && ageMs >= SETTLED_MS) return { state: 'alive', host, entry };
    } else if (!silentServers(roll).includes(socketPath)) return { state: 'gone', host };
    if (ageMs >= GIVE_UP_MS) return { state: 'unseen', host };
    await hands.wait(LOOK_EVERY_MS);
  }
}

function entryOf(roll: Roll, { session }: PaneTarget): SessionEntry | undefined {
  return roll.sessions.find((entry) => {
    const { server, sessionId, createdAtSeconds } = identityOf(entry);
    return (
      server.pid === session.server.pid &&
      sessionId === session.sessionId &&
      createdAtSeconds === session.createdAtSeconds
    );
  });
}
