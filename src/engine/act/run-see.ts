import type { HostIdentity } from '../../core/sight/identity.ts';
import type { PaneEntry, Roll, SessionEntry } from '../../core/sight/roll.ts';
import { identityOf } from '../../core/sight/roll.ts';
import { isLiving } from '../../core/verdict/proven-end.ts';
import type { PaneTarget } from '../../ports/actuator.ts';
import type { Hands } from './hands.ts';
import type { Birth } from './run-birth.ts';

/** What became of it in its first moments. */
export type Seen = { readonly host: HostIdentity } & (
  | { readonly state: 'alive'; readonly entry: SessionEntry }
  /** Its program has ended; the pane still tells how. */
  | { readonly state: 'dead'; readonly entry: SessionEntry; readonly pane: PaneEntry }
  /** Its very server answers without it, or has ended. */
  | { readonly state: 'gone' }
  /** Nobody could tell within the time, or its pane is in another session. */
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
    const found = whereIs(hands, roll, target);
    if (found.state === 'there') {
      const { entry, pane } = found;
      const isTold = pane.exitStatus !== null || pane.exitSignal !== null;
      if (pane.isDead && (isTold || ageMs >= STATUS_MS)) return { state: 'dead', host, entry, pane };
      // What lets go of its terminal is mostly about to end.
      const isLeaving = hasNoTerminal(entry, pane);
      if (pane.isDead || isLeaving) await hands.tmux.wake(target.session);
      if (!pane.isDead && ageMs >= (isLeaving ? STATUS_MS : SETTLED_MS))
        return { state: 'alive', host, entry };
    }
    if (found.state === 'gone') return { state: 'gone', host };
    if (found.state === 'moved' || ageMs >= GIVE_UP_MS) return { state: 'unseen', host };
    await hands.wait(LOOK_EVERY_MS);
  }
}

type Whereabouts =
  | { readonly state: 'there'; readonly entry: SessionEntry; readonly pane: PaneEntry }
  /** Somebody has put its pane into another session. */
  | { readonly state: 'moved' }
  | { readonly state: 'gone' }
  /** Its server was not heard. */
  | { readonly state: 'unsure' };

type Eyes = { readonly processes: Pick<Hands['processes'], 'sense'> };

/** Where a pane is. It is gone only by the word of its very server, or with the process of that. */
export function whereIs(hands: Eyes, roll: Roll, target: PaneTarget): Whereabouts {
  const { server, sessionId, createdAtSeconds } = target.session;
  const all = roll.sessions.flatMap((entry) =>
    entry.panes.flatMap((pane) =>
      entry.server.pid === server.pid && pane.paneId === target.paneId ? [{ entry, pane }] : [],
    ),
  );
  const found = all.find(({ entry }) => {
    const seen = identityOf(entry);
    return seen.sessionId === sessionId && seen.createdAtSeconds === createdAtSeconds;
  });
  if (found !== undefined) return { state: 'there', ...found };
  if (all.length > 0) return { state: 'moved' };
  const isHeard = roll.servers.some(({ pid }) => pid === server.pid);
  return { state: isHeard || hasEnded(hands, server) ? 'gone' : 'unsure' };
}

function hasEnded({ processes }: Eyes, { pid, startTicks }: PaneTarget['session']['server']): boolean {
  const { byPid, isComplete } = processes.sense();
  const process = byPid.get(pid);
  if (process === undefined) return isComplete;
  return !isLiving(process) || (startTicks !== 0 && process.startTicks !== startTicks);
}

function hasNoTerminal({ evidence }: SessionEntry, { paneId }: PaneEntry): boolean {
  return evidence.some((piece) => piece.kind === 'pane' && piece.paneId === paneId && piece.hasNoTerminal);
}
