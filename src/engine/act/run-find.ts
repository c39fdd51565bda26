import type { JsonObject } from '../../core/ledger/json.ts';
import { type HostIdentity, sessionKey } from '../../core/sight/identity.ts';
import { identityOf, isGone, type PaneEntry, type Roll, type SessionEntry } from '../../core/sight/roll.ts';
import { silentServers } from '../../core/sight/silent-servers.ts';
import type { PaneTarget, Stamped, StartedSession } from '../../ports/actuator.ts';
import type { Hands } from './hands.ts';

/** A session that tmux said it has started, or that was found to be started. */
export interface Birth {
  readonly name: string;
  readonly pane: PaneTarget;
}

/** Who it is that tmux has started just now. */
export function birthOf(
  hands: Hands,
  started: Extract<StartedSession, { readonly state: 'started' }>,
): Birth {
  const { name, sessionId, createdAtSeconds, paneId, pid } = started;
  const { socketPath, pid: serverPid, startTicks: told } = started.server;
  // While it lives, as every look will see it: the server may be in another time namespace, and then counts otherwise.
  const startTicks = hands.processes.sense().byPid.get(serverPid)?.startTicks ?? told ?? 0;
  const server = { socketPath, pid: serverPid, startTicks };
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

/** A run of which it is not known whether it started anything. */
export interface SoughtRun {
  readonly socketPath: string;
  /** The word that it bears. */
  readonly word: string;
}

export type FoundRun =
  | { readonly state: 'found'; readonly birth: Birth }
  /** Its pane is in a session that the run did not make: that is somebody else's, and so is what becomes of it. */
  | { readonly state: 'moved'; readonly to: Birth }
  /** The server answers without it, or there is none. */
  | { readonly state: 'absent' }
  /** Something may bear the word and could not be read. */
  | { readonly state: 'unknown' };

/**
 * Looks for what bears a run's word. The pane does, or the environment of its program; but whoever moves the pane moves that
 * along, so the session has to bear the word itself. Every session of the server is asked: a pane is moved into an older
 * one just as well.
 */
export async function findRun(hands: Hands, roll: Roll, sought: SoughtRun): Promise<FoundRun> {
  if (silentServers(roll).includes(sought.socketPath)) return { state: 'unknown' };
  let isUnsure = false;
  let moved: Birth | null = null;
  for (const entry of roll.sessions.filter((one) => isOn(sought.socketPath, one))) {
    for (const pane of entry.panes) {
      const target = targetOf(entry, pane);
      const stamped = await hands.tmux.runOf(target);
      const run = runIn(hands, stamped, pane);
      const isIt = run === sought.word;
      const isRead = stamped.state === 'read';
      if (isIt && isRead && stamped.sessionRun === run) {
        return { state: 'found', birth: { name: entry.name, pane: target } };
      }
      if (run === undefined || (isIt && !isRead)) isUnsure = true;
      // What was split off has the word in its environment only.
      else if (isIt && (moved === null || (isRead && stamped.run === run)))
        moved = { name: entry.name, pane: target };
    }
  }
  if (isUnsure) return { state: 'unknown' };
  return moved === null ? { state: 'absent' } : { state: 'moved', to: moved };
}

function isOn(socketPath: string, entry: SessionEntry): boolean {
  return entry.server.socketPath === socketPath && !isGone(entry);
}

/** Undefined where it cannot be told. */
function runIn(hands: Hands, stamped: Stamped, { pid }: PaneEntry): string | null | undefined {
  if (stamped.state === 'read' && stamped.run !== null) return stamped.run;
  const process = hands.processes.sense().byPid.get(pid);
  const environment = process ? hands.processes.environment(process) : null;
  if (environment !== null) return environment.ROLLCALL_RUN ?? null;
  return stamped.state === 'failed' ? undefined : null;
}

/** A pane as tmux is to find it again. */
export function targetOf(entry: SessionEntry, { paneId, pid }: PaneEntry): PaneTarget {
  return { session: identityOf(entry), paneId, pid };
}

const MOST_SUFFIXES = 200;

/** The names to try, in order. */
export function namesToTry(name: string, onCollision: 'fail' | 'suffix'): string[] {
  if (onCollision === 'fail') return [name];
  return [name, ...Array.from({ length: MOST_SUFFIXES - 1 }, (_, index) => `${name}-${index + 2}`)];
}

/** Who has a name on a server. Exactly: how tmux would store another name is for tmux to say. */
export function namesake(
  sessions: readonly SessionEntry[],
  socketPath: string,
  name: string,
): SessionEntry | null {
  return sessions.find((entry) => entry.name === name && isOn(socketPath, entry)) ?? null;
}
